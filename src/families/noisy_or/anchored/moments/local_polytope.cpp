#include "families/noisy_or/anchored/moments/local_polytope.hpp"

#include <fmt/format.h>

#include <ClpSimplex.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>

#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double violation_tolerance = 1e-7;  // of a violated inequality
constexpr std::size_t most_at_once = 400;     // inequalities between two solutions
/// Vertices are moved by this much towards uniform tables: the program's are within 1e-9 of the
/// polytope, and cells below 0 have no logarithm.
constexpr double pull = 1e-7;

void add_rows(ClpSimplex& program, const std::vector<Inequality>& inequalities) {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> columns;
  std::vector<double> values;
  std::vector<double> limits;
  for (const Inequality& inequality : inequalities) {
    for (const auto& [column, value] : inequality.terms) {
      columns.push_back(static_cast<int>(column));
      values.push_back(value);
    }
    starts.push_back(static_cast<CoinBigIndex>(columns.size()));
    limits.push_back(inequality.limit);
  }
  const std::vector<double> lower(limits.size(), -COIN_DBL_MAX);
  program.addRows(static_cast<int>(limits.size()), lower.data(), limits.data(), starts.data(),
                  columns.data(), values.data());
}

/// -cell <= 0, by inclusion and exclusion.
Inequality cell_row(std::span<const Index> subsets, std::size_t cell) {
  Inequality row;
  for (std::size_t bits = 0; bits < subsets.size(); ++bits) {
    if ((bits & cell) != cell) continue;
    const double sign = std::popcount(bits ^ cell) % 2 == 0 ? -1 : 1;
    if (bits == 0) {
      row.limit = -sign;
    } else {
      row.terms.emplace_back(subsets[bits], sign);
    }
  }
  return row;
}

/// The four of one triple of single coordinates and pair coordinates.
std::array<Inequality, 4> triangle_rows(const std::array<Index, 3>& single,
                                        const std::array<Index, 3>& pair) {
  std::array<Inequality, 4> rows;  // pair[i]: of the two others than i
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    rows[i] = {{{pair[j], 1}, {pair[k], 1}, {single[i], -1}, {pair[i], -1}}, 0, 0};
    rows[3].terms.emplace_back(single[i], 1);
    rows[3].terms.emplace_back(pair[i], -1);
  }
  rows[3].limit = 1;
  return rows;
}

VectorXd pulled(const ProductBasis& basis, VectorXd products) {
  for (Index z = 0; z < basis.size(); ++z) {
    const auto size = static_cast<int>(basis.sets()[static_cast<std::size_t>(z)].size());
    products[z] += pull * (std::ldexp(1.0, -size) - products[z]);
  }
  return products;
}

}  // namespace

std::vector<Inequality> violated_triangles(const ProductBasis& basis, const VectorXd& products,
                                           double least, std::size_t most) {
  std::vector<Inequality> found;
  const auto n = static_cast<std::uint32_t>(basis.n_variables());
  const auto pair_of = [&](std::uint32_t low, std::uint32_t high) {
    return basis.coordinate(std::array{low, high});
  };
  for (std::uint32_t c = 2; c < n; ++c) {
    for (std::uint32_t b = 1; b < c; ++b) {
      const Index bc = pair_of(b, c);
      for (std::uint32_t a = 0; a < b; ++a) {
        const Index ac = pair_of(a, c);
        const Index ab = pair_of(a, b);
        const double qa = products[a];
        const double qb = products[b];
        const double qc = products[c];
        const double all = products[ab] + products[ac] + products[bc];
        const double worst = std::max({qa + qb + qc - all - 1, all - 2 * products[bc] - qa,
                                       all - 2 * products[ac] - qb, all - 2 * products[ab] - qc});
        if (worst <= least) continue;
        for (Inequality& row : triangle_rows({a, b, c}, {bc, ac, ab})) {
          double sum = -row.limit;
          for (const auto& [column, value] : row.terms) sum += value * products[column];
          if (sum <= least) continue;
          row.excess = sum;
          found.push_back(std::move(row));
        }
      }
    }
  }
  std::ranges::stable_sort(found, std::greater{}, &Inequality::excess);
  if (found.size() > most) found.resize(most);
  return found;
}

LocalPolytope::LocalPolytope(const ProductBasis& basis, bool with_cycles)
    : basis_(basis),
      with_cycles_(with_cycles && basis.order() == 2),
      program_(std::make_unique<ClpSimplex>()) {
  const auto n = static_cast<int>(basis.size());
  program_->setLogLevel(0);
  program_->resize(0, n);
  for (int column = 0; column < n; ++column) program_->setColumnBounds(column, 0, 1);
  program_->setPrimalTolerance(1e-9);
  program_->setDualTolerance(1e-9);
  std::vector<Inequality> rows;
  for (Index z = 0; z < basis.size(); ++z) {
    const auto subsets = basis.subsets(z);
    if (basis.sets()[static_cast<std::size_t>(z)].size() < basis.order()) continue;
    for (std::size_t cell = 0; cell + 1 < subsets.size(); ++cell) {  // the last: a column's bound
      rows.push_back(cell_row(subsets, cell));
    }
  }
  add_rows(*program_, rows);
}

LocalPolytope::~LocalPolytope() = default;

void LocalPolytope::solve(bool after_cuts) {
  program_->setMaximumIterations(50'000 +
                                 20 * (program_->numberRows() + program_->numberColumns()));
  after_cuts ? program_->dual() : program_->primal();  // what the last basis is feasible for
  if (!program_->isProvenOptimal()) {  // a basis that has become ill-conditioned: from scratch
    program_->allSlackBasis(true);
    program_->primal();
  }
  if (program_->isProvenOptimal()) return;
  throw InputError(fmt::format(
      "a linear program of {} tables was not solved within CLP's limits (status {}); recover the "
      "moments within another polytope, e.g. simplex",
      basis_.size(), program_->status()));
}

VectorXd LocalPolytope::last() const {
  return Eigen::Map<const VectorXd>(program_->primalColumnSolution(), basis_.size());
}

Minimum LocalPolytope::minimise(const LinearForm& form, double target) {
  std::ranges::copy(form.coefficients, program_->objective());
  solve(false);
  while (true) {
    const double bound = form.constant + program_->objectiveValue();
    if (bound >= target) return {{}, bound};
    if (!with_cycles_) return {{pulled(basis_, last())}, bound};
    const auto violated = violated_triangles(basis_, last(), violation_tolerance, most_at_once);
    if (violated.empty()) return {{pulled(basis_, last())}, bound};
    add_rows(*program_, violated);
    solve(true);
  }
}

bool LocalPolytope::contains(const VectorXd& products) {
  return is_nonnegative(basis_, products) &&
         (!with_cycles_ || violated_triangles(basis_, products, 1e-12, 1).empty());
}

// The minimum cut.

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<boost::vertex_index_t, long,
                    boost::property<boost::vertex_color_t, boost::default_color_type,
                                    boost::property<boost::vertex_distance_t, long,
                                                    boost::property<boost::vertex_predecessor_t,
                                                                    Traits::edge_descriptor>>>>,
    boost::property<
        boost::edge_capacity_t, std::int64_t,
        boost::property<boost::edge_residual_capacity_t, std::int64_t,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

/// Literals are nodes: 2 i is variable i, 2 i + 1 its complement; variable n is the constant 1.
class ImplicationNetwork {
 public:
  explicit ImplicationNetwork(std::size_t n) : n_(n), graph_(2 * n + 2) {}

  /// Adds the term a u v.
  void add(std::size_t u, std::size_t v, std::int64_t a) {
    if (a <= 0) return;
    add_arc(u, v ^ 1U, a);
    add_arc(v, u ^ 1U, a);
  }

  /// 0, 1/2 or 1 of each variable, at the minimum.
  std::vector<double> solve() {
    boost::push_relabel_max_flow(graph_, 2 * n_, 2 * n_ + 1);
    std::vector<char> reached(2 * n_ + 2, 0);
    std::vector<std::size_t> open{2 * n_};
    reached[2 * n_] = 1;
    const auto residual = get(boost::edge_residual_capacity, graph_);
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      for (const auto& edge : boost::make_iterator_range(out_edges(node, graph_))) {
        const std::size_t next = target(edge, graph_);
        if (residual[edge] <= 0 || reached[next] != 0) continue;
        reached[next] = 1;
        open.push_back(next);
      }
    }
    std::vector<double> values(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      values[i] = (1.0 + reached[2 * i] - reached[2 * i + 1]) / 2;
    }
    return values;
  }

 private:
  void add_arc(std::size_t from, std::size_t to, std::int64_t capacity) {
    const auto there = add_edge(from, to, graph_).first;
    const auto back = add_edge(to, from, graph_).first;
    put(boost::edge_capacity, graph_, there, capacity);
    put(boost::edge_capacity, graph_, back, 0);
    put(boost::edge_reverse, graph_, there, back);
    put(boost::edge_reverse, graph_, back, there);
  }

  std::size_t n_;
  Graph graph_;
};

/// The products that a coefficient's sign asks for between those of its members.
double pair_product(double coefficient, double a, double b) {
  if (coefficient > 0) return std::max(0.0, a + b - 1);
  if (coefficient < 0) return std::min(a, b);
  return a * b;
}

}  // namespace

bool is_nonnegative(const ProductBasis& basis, const VectorXd& products) {
  const model::SubsetTables tables = basis.tables(products);
  return std::ranges::all_of(tables.cells(), [](double cell) { return cell >= -1e-12; });
}

Minimum RoofDual::minimise(const LinearForm& form, double /*target*/) {
  const std::size_t n = basis_.n_variables();
  const double most = form.coefficients.cwiseAbs().maxCoeff();
  const double scale = most > 0 ? 0x1p40 / most : 0;
  std::vector<std::int64_t> linear(n);
  ImplicationNetwork network(n);
  for (Index z = 0; z < basis_.size(); ++z) {
    const auto& set = basis_.sets()[static_cast<std::size_t>(z)];
    const auto coefficient = std::llround(scale * form.coefficients[z]);
    const std::size_t i = set.front();
    const std::size_t j = set.back();
    if (set.size() == 1) {
      linear[i] += coefficient;
    } else if (coefficient > 0) {
      network.add(2 * i, 2 * j, coefficient);
    } else {  // c y_i y_j = c y_i - c y_i (1 - y_j)
      linear[i] += coefficient;
      network.add(2 * i, 2 * j + 1, -coefficient);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    network.add(linear[i] > 0 ? 2 * i : 2 * i + 1, 2 * n, std::abs(linear[i]));
  }
  const std::vector<double> values = network.solve();
  VectorXd vertex(basis_.size());
  for (Index z = 0; z < basis_.size(); ++z) {
    const auto& set = basis_.sets()[static_cast<std::size_t>(z)];
    vertex[z] = set.size() == 1
                    ? values[set[0]]
                    : pair_product(form.coefficients[z], values[set[0]], values[set[1]]);
  }
  // Half a unit is lost a coefficient by rounding them.
  const double lost = most > 0 ? static_cast<double>(basis_.size()) / scale : 0;
  return {{vertex}, form(vertex) - lost};
}

bool RoofDual::contains(const VectorXd& products) { return is_nonnegative(basis_, products); }

}  // namespace orrery::anchored
