#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"

#include <fmt/format.h>

#include <CbcModel.hpp>
#include <CglCutGenerator.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/program.hpp"
#include "base/text.hpp"
#include "families/noisy_or/anchored/moments/local_polytope.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;

constexpr int most_bits = 50;

/// The polynomial in multiples of a unit, without its constant.
struct RoundedForm {
  double unit = 1;
  std::vector<std::int64_t> coefficients;
  std::int64_t below_0 = 0;  ///< sum of the coefficients below 0
  std::int64_t above = 0;    ///< states at or above it are of no use
};

RoundedForm round_down(const LinearForm& form, double target, double precision) {
  const double largest = form.coefficients.lpNorm<1>();
  const auto n_terms = static_cast<double>(std::max<Index>(1, form.coefficients.size()));
  RoundedForm rounded;
  const double unit = std::max(precision / n_terms, std::ldexp(largest, -most_bits));
  rounded.unit = std::exp2(std::floor(std::log2(unit)));
  double most = 1;
  for (const double coefficient : form.coefficients) {
    const double multiple = std::floor(coefficient / rounded.unit);  // exact: a power of two
    rounded.coefficients.push_back(static_cast<std::int64_t>(multiple));
    rounded.below_0 += std::min(std::int64_t{0}, rounded.coefficients.back());
    most += std::max(0.0, multiple);
  }
  const double above = std::ceil((target - form.constant) / rounded.unit);
  rounded.above = static_cast<std::int64_t>(std::clamp(above, -std::ldexp(1.0, 60), most));
  return rounded;
}

/// In toulbar2's CFN format, less `below_0`: a table for each product, 0 but where all its
/// variables are 1, or, of a coefficient below 0, but where not all are. toulbar2 1.1.1 takes costs
/// below 0 of four and more variables for others.
std::string write_network(const ProductBasis& basis, const RoundedForm& form) {
  std::string text =
      fmt::format("{{\"problem\":{{\"name\":\"orrery\",\"mustbe\":\"<{}\"}},\n\"variables\":{{",
                  form.above - form.below_0);
  for (std::size_t i = 0; i < basis.n_variables(); ++i) {
    append_text(text, "{}\"x{}\":2", i == 0 ? "" : ",", i);
  }
  text += "},\n\"functions\":{";
  for (std::size_t z = 0; z < form.coefficients.size(); ++z) {
    const auto& set = basis.sets()[z];
    if (set.size() > 1 && form.coefficients[z] == 0) continue;
    append_text(text, "{}\n\"f{}\":{{\"scope\":[", z == 0 ? "" : ",", z);
    for (std::size_t i = 0; i < set.size(); ++i) {
      append_text(text, "{}\"x{}\"", i == 0 ? "" : ",", set[i]);
    }
    text += "],\"costs\":[";
    const std::int64_t coefficient = form.coefficients[z];
    for (std::size_t cell = 1; cell < (std::size_t{1} << set.size()); ++cell) {
      append_text(text, "{},", std::max(std::int64_t{0}, -coefficient));
    }
    append_text(text, "{}]}}", std::max(std::int64_t{0}, coefficient));
  }
  text += "}}\n";
  return text;
}

/// What it says, in multiples of the unit; until the end without `below_0`.
struct Answer {
  bool proved = false;
  std::optional<std::int64_t> value;  ///< of `state`
  std::vector<std::uint8_t> state;
  std::optional<std::int64_t> bound;
};

std::optional<std::int64_t> leading_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool ends = end == text.data() + text.size() || *end == ' ' || *end == ',';
  if (error != std::errc() || !ends) return std::nullopt;
  return value;
}

std::vector<std::uint8_t> read_state(std::string_view line) {
  std::vector<std::uint8_t> state;
  for (const char c : line) {
    if (c == ' ') continue;
    if (c != '0' && c != '1') return {};
    state.push_back(c == '1' ? 1 : 0);
  }
  return state;
}

/// What follows `begin`, if the line begins so.
std::optional<std::string_view> after(std::string_view line, std::string_view begin) {
  if (!line.starts_with(begin)) return std::nullopt;
  return line.substr(begin.size());
}

/// Lines of other kinds are passed over. Nothing if there is no result, as where a signal has ended
/// it, which it answers by leaving with exit code 0.
std::optional<Answer> read_answer(std::string_view said) {
  Answer answer;
  bool ended = false;
  bool state_next = false;
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    const std::string_view line = said.substr(0, end);
    said.remove_prefix(std::min(end + 1, said.size()));
    if (std::exchange(state_next, false)) answer.state = read_state(line);
    if (after(line, "New solution: ")) state_next = true;
    for (const char* begin : {"Initial lower and upper bounds: [", "Optimality gap: ["}) {
      const auto rest = after(line, begin);
      if (rest) answer.bound = std::max(answer.bound, leading_integer(*rest));
    }
    for (const auto& [begin, proved] :
         {std::pair{"Optimum: ", true}, std::pair{"Primal bound: ", false}}) {
      const auto rest = after(line, begin);
      if (!rest) continue;
      answer.value = leading_integer(*rest);
      answer.proved = proved;
      ended = answer.value.has_value();
    }
    for (const auto& [begin, proved] :
         {std::pair{"No solution in ", true}, std::pair{"No solution found by initial", true},
          std::pair{"No solution found in ", false}}) {
      if (!line.starts_with(begin)) continue;
      answer.proved = proved;
      ended = true;
    }
  }
  if (!ended) return std::nullopt;
  return answer;
}

bool is_consistent(const ProductBasis& basis, const RoundedForm& form, const Answer& answer) {
  if (!answer.proved && !answer.bound) return false;
  if (!answer.value) return true;
  if (answer.state.size() != basis.n_variables() || *answer.value >= form.above) return false;
  std::int64_t value = 0;
  for (std::size_t z = 0; z < form.coefficients.size(); ++z) {
    const bool all =
        std::ranges::all_of(basis.sets()[z], [&](std::uint32_t i) { return answer.state[i] != 0; });
    if (all) value += form.coefficients[z];
  }
  return value == *answer.value;
}

std::string last_words(std::string_view said) {
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.remove_suffix(1);
  const std::size_t end = said.rfind('\n');
  return std::string(end == std::string_view::npos ? said : said.substr(end + 1));
}

}  // namespace

std::filesystem::path find_toulbar2() {
  std::filesystem::path program = find_program("toulbar2");
  if (!program.empty()) return program;
  throw EnvironmentError(
      "--polytope marginal: there is no program toulbar2 on the PATH; install it (Debian package "
      "toulbar2), or use --integer-program cbc, which needs none and is slower");
}

Minimum minimise_by_toulbar2(const std::filesystem::path& program, const ProductBasis& basis,
                             const LinearForm& form, double target, const Toulbar2Limits& limits) {
  const RoundedForm rounded = round_down(form, target, limits.precision);
  const std::string said =
      run_program(program, {"--stdin=cfn", "-s", fmt::format("-bt={}", limits.backtracks)},
                  write_network(basis, rounded));
  std::optional<Answer> answer = read_answer(said);
  if (answer && answer->value) *answer->value += rounded.below_0;
  if (answer && answer->bound) *answer->bound += rounded.below_0;
  if (!answer || !is_consistent(basis, rounded, *answer)) {
    throw EnvironmentError(fmt::format(
        "{}: ended without a result that is understood; its last line is '{}'; is it toulbar2 "
        "1.1.1 or later? --integer-program cbc does without",
        program.string(), last_words(said)));
  }
  Minimum minimum;
  if (answer->value) {
    minimum.vertices.push_back(basis.vertex(answer->state));
    if (form(minimum.vertices[0]) >= target) minimum.vertices.clear();  // by rounding
  }
  if (!answer->proved) {
    minimum.bound = form.constant + static_cast<double>(*answer->bound) * rounded.unit;
  } else if (answer->value) {
    minimum.bound = form.constant + static_cast<double>(*answer->value) * rounded.unit;
  } else {
    minimum.bound = target;
  }
  return minimum;
}

// The polytope; its programs by CBC.

namespace {

using Eigen::VectorXd;

constexpr int most_cbc_nodes = 500;
constexpr double integer_tolerance = 1e-6;  // how far from 0 or 1 an integral variable may be

/// Triangle inequalities, for CBC.
class TriangleCuts : public CglCutGenerator {
 public:
  explicit TriangleCuts(const ProductBasis& basis) : basis_(&basis) {}

  void generateCuts(const OsiSolverInterface& solver, OsiCuts& cuts,
                    const CglTreeInfo /*where*/) override {
    const Eigen::Map<const VectorXd> products(solver.getColSolution(), basis_->size());
    for (const Inequality& inequality : violated_triangles(*basis_, products, 1e-5, 200)) {
      OsiRowCut cut;
      std::vector<int> columns;
      std::vector<double> values;
      for (const auto& [column, value] : inequality.terms) {
        columns.push_back(static_cast<int>(column));
        values.push_back(value);
      }
      cut.setRow(static_cast<int>(columns.size()), columns.data(), values.data());
      cut.setUb(inequality.limit);
      cut.setGloballyValid();
      cuts.insert(cut);
    }
  }
  [[nodiscard]] CglCutGenerator* clone() const override { return new TriangleCuts(*this); }

 private:
  const ProductBasis* basis_;
};

// The least value of a polynomial of binary variables by COIN-OR's CBC: branch and cut on the
// single variables, whose integrality makes all products integral. The linear program with triangle
// inequalities (local_polytope.hpp) is the root; more triangles are separated at the nodes. At most
// 500 nodes; if they are used up, the bound is that of the nodes left, and holds all the same.
//
// As LinearOracle::minimise, at most one vertex. `root`: the program with the form as its
// objective.
Minimum minimise_by_cbc(const ClpSimplex& root, const ProductBasis& basis, const LinearForm& form,
                        double target) {
  const std::size_t n = basis.n_variables();
  ClpSimplex program(root);
  OsiClpSolverInterface solver(&program, false);
  solver.setHintParam(OsiDoReducePrint, true);
  solver.messageHandler()->setLogLevel(0);
  for (std::size_t i = 0; i < n; ++i) solver.setInteger(static_cast<int>(i));
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  TriangleCuts triangles(basis);
  if (basis.order() == 2) model.addCutGenerator(&triangles, 1, "triangles");
  model.setMaximumNodes(most_cbc_nodes);
  model.setCutoff(target - form.constant);
  model.setIntegerTolerance(integer_tolerance);
  model.branchAndBound();

  const bool finished =
      model.isProvenOptimal() || model.isProvenInfeasible() || model.status() == 0;
  Minimum minimum;
  if (model.bestSolution() != nullptr) {
    minimum.vertices.push_back(basis.nearest_vertex({model.bestSolution(), n}));
    minimum.bound =
        finished ? form(minimum.vertices[0]) : model.getBestPossibleObjValue() + form.constant;
  } else {
    minimum.bound = finished ? target : model.getBestPossibleObjValue() + form.constant;
  }
  return minimum;
}

constexpr double whole = 1e-6;  // how far from 0 or 1 a program's variable may be

bool is_integral(std::span<const double> singles) {
  return std::ranges::all_of(
      singles, [](double value) { return std::abs(value - std::round(value)) <= whole; });
}

}  // namespace

MarginalPolytope::MarginalPolytope(const ProductBasis& basis, IntegerProgram program,
                                   const Toulbar2Limits& limits)
    : basis_(basis), root_(basis, true), limits_(limits) {
  if (program == IntegerProgram::toulbar2) toulbar2_ = find_toulbar2();
}

Minimum MarginalPolytope::by_toulbar2(const LinearForm& form, double target) {
  Minimum minimum = minimise_by_toulbar2(toulbar2_, basis_, form, target, limits_);
  const double least = minimum.vertices.empty() ? target : form(minimum.vertices[0]);
  if (minimum.bound >= least - limits_.precision) return minimum;
  minimum.bound = std::max(minimum.bound, root_.minimise(form, target).bound);
  return minimum;
}

Minimum MarginalPolytope::by_cbc(const LinearForm& form, double target) {
  const Minimum relaxed = root_.minimise(form, target);
  if (relaxed.bound >= target) return {{}, relaxed.bound};
  const VectorXd point = root_.last();
  const std::span<const double> singles(point.data(), basis_.n_variables());
  if (is_integral(singles)) return {{basis_.nearest_vertex(singles)}, relaxed.bound};
  Minimum minimum = minimise_by_cbc(root_.program(), basis_, form, target);
  minimum.bound = std::max(minimum.bound, relaxed.bound);
  return minimum;
}

Minimum MarginalPolytope::minimise(const LinearForm& form, double target) {
  return toulbar2_.empty() ? by_cbc(form, target) : by_toulbar2(form, target);
}

bool MarginalPolytope::contains(const VectorXd& products) {
  const std::size_t n = basis_.n_variables();
  const bool can_tell = basis_.order() >= n || n <= 3;
  return can_tell && root_.contains(products);
}

}  // namespace orrery::anchored
