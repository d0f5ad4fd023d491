# SPDX-License-Identifier: Apache-2.0
"""Objective (4) and the paper's recipe in PyTorch: the second opinion that polyrx's trainer is held against."""

import math
import platform

import numpy as np
import torch
from torch import nn

HIDDEN = (100,) * 5
MU = 1e-4
LEARNING_RATE = 1e-3
BATCH = 64
EPOCHS = 20


def one_thread():
    """One thread and no denormals, as polyrx trains: Adam's moments of dead neurons otherwise halve the speed."""
    torch.set_num_threads(1)
    if not torch.set_flush_denormal(True):
        raise RuntimeError("this CPU cannot flush denormals")


def objective(outputs, treatment, outcome, weight, mu, prescribed=None):
    """mean of w [ mu (y if pi = t else f_pi) + (1-mu) (y - f_t)^2 ], pi = argmin f held at its current value.

    torch.argmin gives ties to the lowest index, as we do. `prescribed` puts another pi in its place.
    """
    if prescribed is None:
        prescribed = outputs.detach().argmin(dim=1)
    given = outputs.gather(1, treatment[:, None])[:, 0]
    best = outputs.gather(1, prescribed[:, None])[:, 0]
    prescription_cost = torch.where(prescribed == treatment, outcome, best)
    rows = mu * prescription_cost + (1 - mu) * (outcome - given) ** 2
    return (weight * rows).mean()


def make_network(widths):
    """Fully connected, ReLU between; nn.Linear starts weights and biases at U(+-1/sqrt(fan_in)), the recipe's own."""
    layers = []
    for fan_in, fan_out in zip(widths, widths[1:]):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def linear_layers(network):
    return [layer for layer in network if isinstance(layer, nn.Linear)]


def make_optimiser(network, learning_rate, weight_decay=0.0):
    """Adam, or AdamW with the decay on weights only. Moments (0.9, 0.999) and epsilon 1e-8 are torch's defaults."""
    if weight_decay == 0:
        return torch.optim.Adam(network.parameters(), lr=learning_rate)
    layers = linear_layers(network)
    return torch.optim.AdamW(
        [
            {"params": [layer.weight for layer in layers], "weight_decay": weight_decay},
            {"params": [layer.bias for layer in layers], "weight_decay": 0.0},
        ],
        lr=learning_rate,
    )


def make_scheduler(optimiser, kind, steps):
    """The rate of step s = 0 .. steps-1 by its formula: CosineAnnealingLR goes from rate to rate and adds up error."""
    factors = {
        "constant": lambda s: 1.0,
        "linear": lambda s: 1 - s / steps,
        "cosine": lambda s: 0.5 * (1 + math.cos(math.pi * s / steps)),
    }
    return torch.optim.lr_scheduler.LambdaLR(optimiser, factors[kind])


def fit_paper_recipe(inputs, treatment, outcome, treatments, seed, epochs=EPOCHS):
    """`--recipe paper` on standardised float32 inputs, with torch's own initial weights and shuffles."""
    torch.manual_seed(seed)
    network = make_network((inputs.shape[1], *HIDDEN, treatments))
    optimiser = make_optimiser(network, LEARNING_RATE)
    x = torch.as_tensor(inputs, dtype=torch.float32)
    t = torch.as_tensor(treatment, dtype=torch.int64)
    y = torch.as_tensor(outcome, dtype=torch.float32)
    ones = torch.ones_like(y)
    for _ in range(epochs):
        for batch in torch.randperm(len(y)).split(BATCH):
            optimiser.zero_grad()
            objective(network(x[batch]), t[batch], y[batch], ones[batch], MU).backward()
            optimiser.step()
    return network


def prescribe(network, inputs):
    with torch.no_grad():
        return network(torch.as_tensor(inputs, dtype=torch.float32)).argmin(dim=1).numpy()


def machine():
    """What a result depends on besides the code."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "cpu": cpu,
        "python": platform.python_version(),
        "pytorch": torch.__version__,
        "numpy": np.__version__,
        "pytorch_simd": torch.backends.cpu.get_cpu_capability() if hasattr(torch.backends, "cpu") else "unknown",
    }
