# SPDX-License-Identifier: Apache-2.0
"""Repeats a recorded training run in PyTorch, and finds the edges where rounding decided which way the run went.

A neuron is on or off and a prescription is one treatment or another. Where a row is within rounding of such an edge,
two correct float32 trainers may fall on different sides; Adam amplifies that to a visible difference within some dozens
of steps (PyTorch in float32 parts from PyTorch in float64 in the same way). So when two runs part, follow_edges() looks
for an edge, at most EDGE away, that makes them agree again when PyTorch is put on its other side.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import nn

import paper_recipe

EDGE = 3e-6  # relative to the root mean square of the values in that layer and batch
PRESCRIPTION = -1


class Edge(NamedTuple):
    step: int  # from 0
    layer: int  # index in the network; PRESCRIPTION for the choice of the smallest outcome
    row: int  # in the batch
    unit: int  # the neuron, or the treatment in second place
    distance: float  # relative, see EDGE


def network_of(run, dtype):
    """The recorded initial network."""
    layers = run["layers"]
    widths = [len(layers[0]["weights"][0])] + [len(layer["bias"]) for layer in layers]
    network = paper_recipe.make_network(widths).to(dtype)
    with torch.no_grad():
        for linear, layer in zip(paper_recipe.linear_layers(network), layers):
            linear.weight.copy_(torch.tensor(layer["weights"], dtype=dtype))
            linear.bias.copy_(torch.tensor(layer["bias"], dtype=dtype))
    return network


def near_zero(step, layer, values, distances):
    """The edges of one layer and batch; `distances` is 0 where a value is on its edge."""
    relative = distances.abs() / values.square().mean().sqrt()
    return [
        Edge(step, layer, row, unit, relative[row, unit].item()) for row, unit in (relative < EDGE).nonzero().tolist()
    ]


def forward(network, inputs, step, crossed, near):
    """The outputs and the prescriptions, on the other side of the edges in `crossed`; adds to `near` the edges met."""
    h = inputs
    for number, layer in enumerate(network):
        if isinstance(layer, nn.ReLU):
            near += near_zero(step, number, h.detach(), h.detach())
            here = [edge for edge in crossed if edge.layer == number]
            if here:
                active = h > 0
                for edge in here:
                    active[edge.row, edge.unit] ^= True
                h = torch.where(active, h, torch.zeros_like(h))
                continue
        h = layer(h)
    outputs = h.detach()
    prescribed = outputs.argmin(dim=1)
    behind = outputs - outputs.gather(1, prescribed[:, None])
    behind[torch.arange(len(behind)), prescribed] = torch.inf
    near += near_zero(step, PRESCRIPTION, outputs, behind)
    for edge in crossed:
        if edge.layer == PRESCRIPTION:
            prescribed[edge.row] = edge.unit
    return h, prescribed


def replay(run, dtype=torch.float32, crossed=()):
    """The loss of each batch before its step, over as many steps as were recorded, and the edges met on the way."""
    options = run["options"]
    network = network_of(run, dtype)
    optimiser = paper_recipe.make_optimiser(network, options["learning_rate"], options["weight_decay"])
    x = torch.tensor(run["inputs"], dtype=dtype)
    t = torch.tensor(run["treatment"])
    y = torch.tensor(run["outcome"], dtype=dtype)
    w = torch.tensor(run["weight"], dtype=dtype)
    batches = [batch for order in run["orders"] for batch in torch.tensor(order).split(options["batch"])]
    scheduler = paper_recipe.make_scheduler(optimiser, options["schedule"], len(batches))

    losses, near = [], []
    for step, batch in enumerate(batches[: len(run["losses"])]):
        optimiser.zero_grad()
        outputs, prescribed = forward(network, x[batch], step, [edge for edge in crossed if edge.step == step], near)
        loss = paper_recipe.objective(outputs, t[batch], y[batch], w[batch], options["mu"], prescribed)
        loss.backward()
        optimiser.step()
        scheduler.step()
        losses.append(loss.item())
    return np.array(losses), near


def relative_difference(losses, reference):
    """Of each step; a loss that is not a number is infinitely far off."""
    relative = np.abs(losses - reference) / np.maximum(np.abs(reference), np.finfo(np.float32).tiny)
    relative[~np.isfinite(relative)] = np.inf
    return relative


def follow_edges(run, tolerance, at_most=4):
    """PyTorch's losses on the recorded run's side of as few edges as needed, and those edges; none if they agree.

    An edge is taken only if crossing it brings every step up to where the runs parted to a tenth of the tolerance, and
    of those the one that keeps them together longest: an edge met soon after the one that mattered can put it right for
    a while. A fault of the trainer is not undone by moving one neuron of one row, so it stays a difference.
    """
    recorded = np.array(run["losses"], dtype=float)
    crossed = []
    losses, near = replay(run)
    while len(crossed) < at_most:
        parted = agreed_steps(recorded, losses, tolerance)
        if parted == len(recorded):
            break
        tries = []
        for edge in near:
            if edge.step < parted and edge not in crossed:
                tried, met = replay(run, crossed=[*crossed, edge])
                difference = relative_difference(recorded, tried)
                if difference[: parted + 1].max() <= tolerance / 10:
                    tries.append((-agreed_steps(recorded, tried, tolerance), difference.max(), edge, tried, met))
        if not tries:
            break
        _, _, edge, losses, near = min(tries, key=lambda one: one[:2])
        crossed.append(edge)
    return losses, crossed


def agreed_steps(losses, reference, tolerance):
    """How many steps there are before the first beyond the tolerance."""
    beyond = np.flatnonzero(relative_difference(losses, reference) > tolerance)
    return int(beyond[0]) if beyond.size else len(losses)
