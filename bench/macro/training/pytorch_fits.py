# SPDX-License-Identifier: Apache-2.0
"""The paper's recipe in PyTorch on one thread of a CPU, written in every way that might be the fastest.

All of them start from nn.Linear's weights for a seed, see the rows in the same order and take the same steps, so that
they end in the same network but for rounding. None weighs rows, and those by hand compute the gradient only and not
the loss: the recipe asks for neither.
"""

import contextlib
import dataclasses
import math
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "experiments" / "parity"))
import paper_recipe  # pylint: disable=wrong-import-position

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # torch.optim.Adam's


@dataclasses.dataclass
class Rows:
    inputs: torch.Tensor
    treatment: torch.Tensor  # a column, as gather and scatter want it
    outcome: torch.Tensor  # a column

    def shuffled(self, size, width=None):
        """The batches of an epoch: one gather of all rows, then views, of the first `width` inputs."""
        order = torch.randperm(len(self.outcome))
        inputs = self.inputs.index_select(0, order)[:, :width]
        treatment, outcome = self.treatment.index_select(0, order), self.outcome.index_select(0, order)
        return zip(inputs.split(size), treatment.split(size), outcome.split(size))


@dataclasses.dataclass
class Recipe:
    widths: tuple  # inputs, hidden layers, treatments
    batch: int
    mu: float
    learning_rate: float


class Autograd:
    """torch.nn and torch.optim, the loss compiled or not."""

    def __init__(self, rows, recipe, mode=None, **adam):
        self.rows, self.recipe, self.adam = rows, recipe, adam
        self.network = paper_recipe.make_network(recipe.widths)
        self.loss = torch.compile(self.batch_loss, mode=mode, dynamic=False) if mode else self.batch_loss

    def batch_loss(self, inputs, treatment, outcome):
        outputs = self.network(inputs)
        prescribed = outputs.detach().argmin(dim=1, keepdim=True)
        error = outcome - outputs.gather(1, treatment)
        cost = torch.where(prescribed == treatment, outcome, outputs.gather(1, prescribed))
        return (self.recipe.mu * cost + (1 - self.recipe.mu) * error * error).mean()

    def fit(self, epochs, seed):
        torch.manual_seed(seed)
        for layer in paper_recipe.linear_layers(self.network):
            layer.reset_parameters()  # in place: a compiled loss stays with its tensors
        optimiser = torch.optim.Adam(self.network.parameters(), lr=self.recipe.learning_rate, **self.adam)
        for _ in range(epochs):
            for batch in self.rows.shuffled(self.recipe.batch):
                optimiser.zero_grad(set_to_none=True)
                self.loss(*batch).backward()
                optimiser.step()
        return self.network


class Flat:
    """All weights in one vector, so that Adam is one call. A layer is inputs x neurons with its biases as the last row,
    the way round in which MKL's products are fastest."""

    def __init__(self, rows, recipe):
        self.rows, self.recipe = rows, recipe
        self.shapes = [(fan_in + 1, neurons) for fan_in, neurons in zip(recipe.widths, recipe.widths[1:])]
        self.weights = torch.zeros(sum(map(math.prod, self.shapes)))
        self.mean, self.square = torch.zeros_like(self.weights), torch.zeros_like(self.weights)
        self.layers = self.split(self.weights)

    def split(self, flat):
        parts = flat.split([math.prod(shape) for shape in self.shapes])
        return [part.view(shape) for part, shape in zip(parts, self.shapes)]

    def begin(self, seed):
        torch.manual_seed(seed)
        network = paper_recipe.make_network(self.recipe.widths)
        for ours, theirs in zip(self.layers, paper_recipe.linear_layers(network)):
            ours[:-1] = theirs.weight.detach().t()
            ours[-1] = theirs.bias.detach()
        self.mean.zero_()
        self.square.zero_()

    def network(self):
        network = paper_recipe.make_network(self.recipe.widths)
        for ours, theirs in zip(self.layers, paper_recipe.linear_layers(network)):
            theirs.weight.copy_(ours[:-1].t())
            theirs.bias.copy_(ours[-1])
        return network


class CompiledByHand(Flat):
    """Forward, backward and Adam as one graph for torch.compile, which fuses all but the products."""

    def __init__(self, rows, recipe, mode):
        super().__init__(rows, recipe)
        self.step = torch.compile(self.one_step, mode=mode, dynamic=False, fullgraph=True)
        self.corrections = []  # Adam's for each step: as tensors, or every step would be compiled anew
        self.warm = False

    def one_step(self, weights, mean, square, corrections, inputs, treatment, outcome):
        mu = self.recipe.mu / len(inputs)
        rest = 2 * (1 - self.recipe.mu) / len(inputs)
        layers = self.split(weights)
        values = [inputs]
        for layer in layers[:-1]:
            values.append((values[-1] @ layer[:-1] + layer[-1]).relu())
        outputs = values[-1] @ layers[-1][:-1] + layers[-1][-1]
        column = torch.arange(outputs.shape[1])
        prescribed = torch.where(column == outputs.argmin(dim=1, keepdim=True), mu, 0.0)
        error = torch.where(column == treatment, rest * (outputs - outcome), prescribed)
        gradient = []
        for value, layer in zip(reversed(values), reversed(layers)):
            gradient += [error.sum(dim=0), (value.t() @ error).reshape(-1)]
            if value is not inputs:
                error = torch.where(value > 0, error @ layer[:-1].t(), 0.0)
        gradient = torch.cat(gradient[::-1])
        mean.lerp_(gradient, 1 - BETA1)
        square.mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
        first, second = corrections
        weights.sub_(self.recipe.learning_rate * first * mean / ((second * square).sqrt() + EPSILON))

    @torch.no_grad()
    def fit(self, epochs, seed):
        self.begin(seed)
        steps = epochs * -(-len(self.rows.outcome) // self.recipe.batch)
        for step in range(len(self.corrections) + 1, steps + 1):
            self.corrections.append((torch.tensor(1 / (1 - BETA1**step)), torch.tensor(1 / (1 - BETA2**step))))
        corrections = iter(self.corrections)
        # Once compiled for both sizes of batch, nothing that the guards look at can change.
        guards = torch.compiler.set_stance(skip_guard_eval_unsafe=True) if self.warm else contextlib.nullcontext()
        with guards:
            for _ in range(epochs):
                for batch in self.rows.shuffled(self.recipe.batch):
                    self.step(self.weights, self.mean, self.square, next(corrections), *batch)
        self.warm = True
        return self.network()


class ByHand(Flat):
    """Forward and backward into buffers that are there already. Values carry a column of ones, so that one product adds
    the biases and one gives their gradient too."""

    def __init__(self, rows, recipe):
        super().__init__(rows, recipe)
        width = recipe.widths[0]
        self.rows = Rows(self.ones_for(len(rows.outcome), width), rows.treatment, rows.outcome)
        self.rows.inputs[:, :width] = rows.inputs
        self.gradient = torch.zeros_like(self.weights)
        self.gradients = self.split(self.gradient)
        self.back = [layer[:-1].t() for layer in self.layers]
        self.steps = torch.zeros(())
        self.buffers = {}

    @staticmethod
    def ones_for(rows, width):
        """Room for `width` values and a one after them. Rows begin a multiple of 32 bytes apart, which suits MKL better
        than 101 floats do."""
        return torch.ones(rows, (width // 8 + 1) * 8)

    def buffers_for(self, rows):
        if rows not in self.buffers:
            hidden, treatments = self.recipe.widths[1:-1], self.recipe.widths[-1]
            values = [self.ones_for(rows, width)[:, : width + 1] for width in hidden]
            neurons = [value[:, :-1] for value in values]
            errors = [torch.empty(rows, width) for width in (*hidden, treatments)]
            self.buffers[rows] = (values, neurons, torch.empty(rows, treatments), errors)
        return self.buffers[rows]

    def step(self, inputs, treatment, outcome):
        rows = len(inputs)
        values, neurons, outputs, errors = self.buffers_for(rows)
        value = inputs
        for layer, neuron, with_ones in zip(self.layers, neurons, values):
            torch.mm(value, layer, out=neuron).relu_()
            value = with_ones
        torch.mm(value, self.layers[-1], out=outputs)

        error = errors[-1].zero_()
        error.scatter_(1, outputs.argmin(dim=1, keepdim=True), self.recipe.mu / rows)
        given = outputs.gather(1, treatment).sub_(outcome).mul_(2 * (1 - self.recipe.mu) / rows)
        error.scatter_(1, treatment, given)  # over the prescription's share, where that was the treatment given

        for i in range(len(neurons), 0, -1):
            torch.mm(values[i - 1].t(), errors[i], out=self.gradients[i])
            torch.mm(errors[i], self.back[i], out=errors[i - 1])
            torch.ops.aten.threshold_backward.grad_input(errors[i - 1], neurons[i - 1], 0, grad_input=errors[i - 1])
        torch.mm(inputs.t(), errors[0], out=self.gradients[0])
        torch._fused_adam_(  # what torch.optim.Adam(fused=True) comes down to
            [self.weights], [self.gradient], [self.mean], [self.square], [], [self.steps.add_(1)],
            lr=self.recipe.learning_rate, beta1=BETA1, beta2=BETA2, weight_decay=0, eps=EPSILON,
            amsgrad=False, maximize=False)  # fmt: skip

    @torch.inference_mode()
    def fit(self, epochs, seed):
        self.begin(seed)
        self.steps.zero_()
        for _ in range(epochs):
            for batch in self.rows.shuffled(self.recipe.batch, self.recipe.widths[0] + 1):
                self.step(*batch)
        return self.network()


THOROUGH = "max-autotune-no-cudagraphs"
VARIANTS = {
    "autograd, Adam foreach": lambda *data: Autograd(*data, foreach=True),
    "autograd, Adam fused": lambda *data: Autograd(*data, fused=True),
    "autograd compiled, Adam fused": lambda *data: Autograd(*data, mode="default", fused=True),
    "autograd compiled with max-autotune": lambda *data: Autograd(*data, mode=THOROUGH, fused=True),
    "step by hand, compiled": lambda *data: CompiledByHand(*data, mode="default"),
    "step by hand, compiled with max-autotune": lambda *data: CompiledByHand(*data, mode=THOROUGH),
    "step by hand, into buffers": ByHand,
}
