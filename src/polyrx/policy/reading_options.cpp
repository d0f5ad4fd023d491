// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/reading_options.hpp"

namespace polyrx {

CsvOptions reading_options(const Policy& policy) {
    CsvOptions options;
    options.schema = policy.encoder.schema();
    options.schema.missing = policy.missing_texts;
    options.columns = policy.encoder.read_columns();
    return options;
}

}  // namespace polyrx
