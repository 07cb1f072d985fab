// What a page says below its headline: what a model achieves, and what to distrust.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::report {

/// Sentences without a full stop; escaped when they are written.
struct Verdict {
  std::vector<std::string> achieved{};  ///< what speaks for the model
  std::vector<std::string> doubts{};    ///< what to distrust
  std::string not_judged{};             ///< what was not looked at, and how to have it looked at

  /// Something speaks for the model, and nothing against it.
  [[nodiscard]] bool is_good() const noexcept { return !achieved.empty() && doubts.empty(); }

  /// "9 of 10 true edges were found": for the model from nine tenths on, else against it.
  void add_found(std::size_t n_found, std::size_t n_true, const std::string& what);
  /// "3 learned edges are not in the true network"; nothing if there is none.
  void add_wrong(std::size_t n_wrong, const std::string& what);
  /// That there are remarks of the learner; nothing if there is none.
  void add_remarks(std::size_t n_remarks);
};

/// What to do where a page is not given rows.
inline constexpr const char* evaluate_it =
    "`orrery evaluate MODEL --data ROWS` says how well the model predicts rows that it was not "
    "learned from";

/// A box: green if it is good, else amber; the colour is said in words too. Empty if there is
/// nothing to say.
std::string verdict_html(const Verdict& verdict);

}  // namespace orrery::report
