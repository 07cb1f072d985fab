// What the formats of networks of tables share: the rows of a table in the order of counting, how
// many there may be, and names that a format allows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "report/formats.hpp"

namespace orrery::report {

/// Throws UsageError, naming the format, if a variable has a table of more than 65,536 rows (it is
/// named), or if all tables have more than 2^22.
void require_small_tables(const DiscreteNetwork& network, const std::string& format);

/// Rows of the table of a variable, once require_small_tables has passed: a state of each parent.
std::size_t rows_of_table(const DiscreteNetwork& network, const DiscreteVariable& variable);

using UseRow =
    std::function<void(std::span<const std::uint32_t> parents, std::span<const double> given)>;
/// Calls use(states of the parents, P(each state | them)) for each row, the last parent's state
/// changing fastest.
void for_each_row(const DiscreteNetwork& network, const DiscreteVariable& variable,
                  const UseRow& use);

}  // namespace orrery::report
