// What COIN-OR's libraries throw (CoinError, which is no std::exception) in the words of orrery's
// own errors.
#pragma once

#include <fmt/format.h>

#include <CoinError.hpp>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::learning {

/// What `solve` returns. A CoinError of it becomes an InputError: `what` was being solved, and what
/// to do instead.
template <class Solve>
auto with_coin_errors(const char* what, const char* instead, Solve&& solve) {
  try {
    return std::forward<Solve>(solve)();
  } catch (const CoinError& error) {
    throw InputError(fmt::format("{}: CLP or CBC gives up in {}::{} ({}); {}", what,
                                 error.className(), error.methodName(), error.message(), instead));
  }
}

}  // namespace orrery::learning
