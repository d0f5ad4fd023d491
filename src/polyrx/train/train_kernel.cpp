// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/train/train_kernel.cpp"
#include "polyrx/core/tile_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, 16>;
using FloatVector = hn::Vec<Floats>;

// Live neurons as rows and as terms of a matrix product: offsets before and after the weights.
struct LiveRows {
    Live live;
    [[nodiscard]] std::size_t size() const { return live.size(); }
    HWY_INLINE std::size_t operator[](std::size_t i) const { return live[i].number; }
};

struct LiveInputs {
    Live live;
    [[nodiscard]] std::size_t size() const { return live.size(); }
    [[nodiscard]] HWY_INLINE std::size_t scalar_at(std::size_t i) const { return live[i].weights_at; }
    [[nodiscard]] HWY_INLINE std::size_t vector_at(std::size_t i) const { return live[i].lanes_at; }
};

struct LiveOutputs {
    Live live;
    [[nodiscard]] std::size_t size() const { return live.size(); }
    [[nodiscard]] HWY_INLINE std::size_t scalar_at(std::size_t i) const { return live[i].number; }
    [[nodiscard]] HWY_INLINE std::size_t vector_at(std::size_t i) const { return live[i].lanes_at; }
};

struct Keep {
    float* out;
    HWY_INLINE void operator()(std::size_t neuron, std::size_t lane, FloatVector sums) const {
        hn::StoreU(sums, Floats(), out + neuron * batch_lanes + lane);
    }
};

struct KeepPositive {
    float* out;
    HWY_INLINE void operator()(std::size_t neuron, std::size_t lane, FloatVector sums) const {
        const Floats d;
        const auto active = hn::Gt(sums, hn::Zero(d));
        hn::StoreU(hn::IfThenElseZero(active, sums), d, out + neuron * batch_lanes + lane);
    }
};

std::size_t find_live(NumberRange neurons, std::size_t next_neurons, std::size_t rows, const float* values,
                      LiveNeuron* live) {
    const Floats d;
    std::size_t found = 0;
    for (std::size_t neuron = neurons.first; neuron < neurons.end(); ++neuron) {
        FloatVector most = hn::Zero(d);
        for (std::size_t lane = 0; lane < padded(rows); lane += hn::Lanes(d))
            most = hn::Max(most, hn::LoadU(d, values + neuron * batch_lanes + lane));
        live[found] = LiveNeuron(neuron, next_neurons);
        found += hn::AllTrue(d, hn::Eq(most, hn::Zero(d))) ? 0 : 1;
    }
    return found;
}

void forward_layer(const LayerPart& part, std::size_t rows, const float* parameters, const float* in, Live live_in,
                   bool relu, float* out) {
    const Floats d;
    const Factors<float> factors{.scalars = parameters, .scalar_row = 1, .vectors = in};
    const EveryRow neurons{.count = part.neurons.count, .first = part.neurons.first};
    const LiveInputs inputs{live_in};
    if (relu)
        multiply<Fused>(d, factors, neurons, inputs, padded(rows), KeepPositive{out});
    else
        multiply<Fused>(d, factors, neurons, inputs, padded(rows), Keep{out});
}

// Calls use(number) for the neurons in [first, end) that are not live.
template <class Use>
void for_each_dead(Live live, std::size_t first, std::size_t end, const Use& use) {
    std::size_t next = 0;
    for (std::size_t number = first; number < end; ++number) {
        if (next < live.size() && live[next].number == number)
            ++next;
        else
            use(number);
    }
}

// A neuron is active if its value is above 0. Slopes of inactive neurons are 0.
struct KeepActive {
    const float* values;
    float* out;
    HWY_INLINE void operator()(std::size_t neuron, std::size_t lane, FloatVector sums) const {
        const Floats d;
        const std::size_t at = neuron * batch_lanes + lane;
        const auto active = hn::Gt(hn::LoadU(d, values + at), hn::Zero(d));
        hn::StoreU(hn::IfThenElseZero(active, sums), d, out + at);
    }
};

void input_gradient(const LayerPart& part, std::size_t rows, const float* parameters, const float* slopes, Live live,
                    const float* in, Live live_in, float* in_slopes) {
    const Factors<float> factors{.scalars = parameters, .scalar_row = padded(part.layer.neurons), .vectors = slopes};
    multiply<Fused>(Floats(), factors, LiveRows{live_in}, LiveOutputs{live}, padded(rows), KeepActive{in, in_slopes});
    const bool last = part.inputs.end() == part.layer.inputs;
    for_each_dead(live_in, part.inputs.first, last ? padded(part.layer.inputs) : part.inputs.end(),
                  [&](std::size_t input) { std::fill_n(in_slopes + input * batch_lanes, batch_lanes, 0.0F); });
}

#if HWY_TARGET == HWY_SCALAR

void transpose(NumberRange neurons, std::size_t stride, std::size_t rows, const float* in, float* out) {
    for (std::size_t lane = 0; lane < rows; ++lane)
        for (std::size_t neuron = neurons.first; neuron < neurons.end(); ++neuron)
            out[lane * stride + neuron] = in[neuron * batch_lanes + lane];
}

#else

// Loads four lanes of every fourth neuron from `from` on, enough to fill a vector.
template <class D>
HWY_INLINE hn::Vec<D> load_every_fourth(D d, const float* from) {
    if constexpr (hn::MaxLanes(D()) == 4) {
        return hn::LoadU(d, from);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, load_every_fourth(half, from + hn::MaxLanes(half) * batch_lanes),
                           load_every_fourth(half, from));
    }
}

// out[lane][neuron] = in[neuron][lane] for neurons that fill whole vectors. Lanes are read in groups of four, so up to
// three lanes beyond the last row are included.
void transpose(NumberRange neurons, std::size_t stride, std::size_t rows, const float* in, float* out) {
    const Floats d;
    const hn::Repartition<double, Floats> pairs;
    const auto store_pairs = [&](auto low, auto high, float* to) HWY_ATTR {
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low, high)), d, to);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low, high)), d, to + stride);
    };
    for (std::size_t lane = 0; lane < rows; lane += 4) {
        for (std::size_t neuron = neurons.first; neuron < neurons.end(); neuron += hn::Lanes(d)) {
            const float* from = in + neuron * batch_lanes + lane;
            const auto row0 = load_every_fourth(d, from);
            const auto row1 = load_every_fourth(d, from + batch_lanes);
            const auto row2 = load_every_fourth(d, from + 2 * batch_lanes);
            const auto row3 = load_every_fourth(d, from + 3 * batch_lanes);
            float* to = out + lane * stride + neuron;
            store_pairs(hn::BitCast(pairs, hn::InterleaveLower(d, row0, row1)),
                        hn::BitCast(pairs, hn::InterleaveLower(d, row2, row3)), to);
            store_pairs(hn::BitCast(pairs, hn::InterleaveUpper(d, row0, row1)),
                        hn::BitCast(pairs, hn::InterleaveUpper(d, row2, row3)), to + 2 * stride);
        }
    }
}

#endif

struct KeepGradient {
    float* out;
    std::size_t stride;
    HWY_INLINE void operator()(std::size_t input, std::size_t neuron, FloatVector sums) const {
        hn::StoreU(sums, Floats(), out + input * stride + neuron);
    }
};

struct AddGradient {
    float* out;
    std::size_t stride;
    HWY_INLINE void operator()(std::size_t input, std::size_t neuron, FloatVector sums) const {
        const Floats d;
        float* at = out + input * stride + neuron;
        hn::StoreU(hn::Add(hn::LoadU(d, at), sums), d, at);
    }
};

void weight_gradient(const LayerPart& part, std::size_t rows, const float* in, Live live_in, const float* slopes,
                     bool add, float* scratch, float* gradient) {
    const std::size_t stride = padded(part.layer.neurons);
    const std::size_t first =
        padded(part.neurons.first + 1) - padded(1);  // start of the vector that contains the first neuron
    const NumberRange columns{first, padded(part.neurons.end()) - first};
    transpose(columns, stride, rows, slopes, scratch);
    const Factors<float> factors{.scalars = in, .scalar_row = batch_lanes, .vectors = scratch + first};
    const LiveRows inputs{live_in};
    const EveryTerm lanes{.count = rows, .scalar_term = 1, .vector_term = stride};
    if (add) {
        multiply<Fused>(Floats(), factors, inputs, lanes, columns.count, AddGradient{gradient + first, stride});
        return;
    }
    multiply<Fused>(Floats(), factors, inputs, lanes, columns.count, KeepGradient{gradient + first, stride});
    for_each_dead(live_in, part.inputs.first, part.inputs.end(),
                  [&](std::size_t input) { std::fill_n(gradient + input * stride + first, columns.count, 0.0F); });
}

// 1 / value for a normal value, by Newton's method from a bit-level guess. The processor's division would dominate the
// time of an Adam step, and its approximate reciprocal differs between processors.
HWY_INLINE FloatVector reciprocal(FloatVector value) {
    const Floats d;
    const hn::RebindToUnsigned<Floats> bits;
    const auto one = hn::Set(d, 1.0F);
    auto guess = hn::BitCast(d, hn::Sub(hn::Set(bits, reciprocal_guess), hn::BitCast(bits, value)));
    for (int round = 0; round < 3; ++round) guess = hn::MulAdd(guess, hn::NegMulAdd(value, guess, one), guess);
    return guess;
}

void adam_step(const AdamStep& step, std::size_t size, const float* gradient, float* parameters, float* first_moment,
               float* second_moment) {
    const Floats d;
    const auto keep1 = hn::Set(d, step.keep1);
    const auto take1 = hn::Set(d, step.take1);
    const auto keep2 = hn::Set(d, step.keep2);
    const auto take2 = hn::Set(d, step.take2);
    const auto per_root = hn::Set(d, step.per_root);
    const auto tiny = hn::Set(d, step.tiny);
    const auto largest = hn::Set(d, largest_root);
    const auto rate = hn::Set(d, step.rate);
    const auto keep = hn::Set(d, step.keep);
    for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
        const auto slope = hn::LoadU(d, gradient + i);
        const auto first = hn::MulAdd(keep1, hn::LoadU(d, first_moment + i), hn::Mul(take1, slope));
        const auto second = hn::MulAdd(keep2, hn::LoadU(d, second_moment + i), hn::Mul(hn::Mul(take2, slope), slope));
        const auto root = hn::MulAdd(hn::Sqrt(second), per_root, tiny);
        const auto kept = hn::Mul(keep, hn::LoadU(d, parameters + i));
        hn::StoreU(first, d, first_moment + i);
        hn::StoreU(second, d, second_moment + i);
        hn::StoreU(hn::NegMulAdd(rate, hn::Mul(first, reciprocal(hn::Min(root, largest))), kept), d, parameters + i);
    }
}

std::string_view kernel_target() {
    if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) return "AVX-512";
    if (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128) return "plain";
    return hwy::TargetName(HWY_TARGET);
}

bool kernels_fuse() {
    return HWY_NATIVE_FMA != 0;
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(find_live);
HWY_EXPORT(forward_layer);
HWY_EXPORT(input_gradient);
HWY_EXPORT(weight_gradient);
HWY_EXPORT(adam_step);
HWY_EXPORT(kernel_target);
HWY_EXPORT(kernels_fuse);

std::size_t find_live(NumberRange neurons, std::size_t next_neurons, std::size_t rows, const float* values,
                      LiveNeuron* live) {
    return HWY_DYNAMIC_DISPATCH(find_live)(neurons, next_neurons, rows, values, live);
}

void forward_layer(const LayerPart& part, std::size_t rows, const float* parameters, const float* in, Live live_in,
                   bool relu, float* out) {
    HWY_DYNAMIC_DISPATCH(forward_layer)(part, rows, parameters, in, live_in, relu, out);
}

void input_gradient(const LayerPart& part, std::size_t rows, const float* parameters, const float* slopes, Live live,
                    const float* in, Live live_in, float* in_slopes) {
    HWY_DYNAMIC_DISPATCH(input_gradient)(part, rows, parameters, slopes, live, in, live_in, in_slopes);
}

void weight_gradient(const LayerPart& part, std::size_t rows, const float* in, Live live_in, const float* slopes,
                     bool add, float* scratch, float* gradient) {
    HWY_DYNAMIC_DISPATCH(weight_gradient)(part, rows, in, live_in, slopes, add, scratch, gradient);
}

void adam_step(const AdamStep& step, std::size_t size, const float* gradient, float* parameters, float* first_moment,
               float* second_moment) {
    HWY_DYNAMIC_DISPATCH(adam_step)(step, size, gradient, parameters, first_moment, second_moment);
}

std::string_view kernel_target() {
    return HWY_DYNAMIC_DISPATCH(kernel_target)();
}

bool kernels_fuse() {
    return HWY_DYNAMIC_DISPATCH(kernels_fuse)();
}

}  // namespace polyrx
#endif  // HWY_ONCE
