#include "families/noisy_or/anchored/moments/roof_dual.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

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
    if (set.size() == 1) {
      linear[set[0]] += coefficient;
    } else if (coefficient > 0) {
      network.add(2 * set[0], 2 * set[1], coefficient);
    } else {  // c y_i y_j = c y_i - c y_i (1 - y_j)
      linear[set[0]] += coefficient;
      network.add(2 * set[0], 2 * set[1] + 1, -coefficient);
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
