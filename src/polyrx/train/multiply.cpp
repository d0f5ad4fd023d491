// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/multiply.hpp"

#include <array>

namespace polyrx {
namespace {

// A tile of the product is held in registers while its sums run: 4 x 8 floats fit the 16 registers of plain x86-64.
constexpr Eigen::Index tile_rows = 4;
constexpr Eigen::Index tile_columns = 8;

// The tile whose first element is (row, column). Eigen's fixed arrays keep its rows in vector registers; g++ 12 takes
// plain loops apart.
template <Eigen::Index rows, Eigen::Index columns>
void multiply_tile(const Eigen::Ref<const MatrixF>& a, const Eigen::Ref<const MatrixF>& b, MatrixF& product,
                   Eigen::Index row, Eigen::Index column) {
    using TileRow = Eigen::Array<float, 1, columns>;
    std::array<TileRow, rows> sums;
    for (TileRow& sum : sums) sum.setZero();
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
        const TileRow right = Eigen::Map<const TileRow>(b.data() + k * b.outerStride() + column);
        for (std::size_t r = 0; r < rows; ++r) sums[r] += a.coeff(row + static_cast<Eigen::Index>(r), k) * right;
    }
    for (std::size_t r = 0; r < rows; ++r)
        product.row(row + static_cast<Eigen::Index>(r)).template segment<columns>(column) = sums[r];
}

template <Eigen::Index rows>
void multiply_rows(const Eigen::Ref<const MatrixF>& a, const Eigen::Ref<const MatrixF>& b, MatrixF& product,
                   Eigen::Index row) {
    Eigen::Index column = 0;
    for (; column + tile_columns <= b.cols(); column += tile_columns)
        multiply_tile<rows, tile_columns>(a, b, product, row, column);
    for (; column < b.cols(); ++column) multiply_tile<rows, 1>(a, b, product, row, column);
}

}  // namespace

void multiply(const Eigen::Ref<const MatrixF>& a, const Eigen::Ref<const MatrixF>& b, MatrixF& product) {
    Eigen::Index row = 0;
    for (; row + tile_rows <= a.rows(); row += tile_rows) multiply_rows<tile_rows>(a, b, product, row);
    for (; row < a.rows(); ++row) multiply_rows<1>(a, b, product, row);
}

}  // namespace polyrx
