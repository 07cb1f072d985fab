// What the causes of a categorical network are called: by the variables that say most of them.
#include "report/titles.hpp"

#include <algorithm>
#include <cmath>

#include "families/categorical/scores/scores.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using model::CategoricalVariable;

/// P(state of the parent at `place`, category), L values per state; the other parents are summed
/// over. The first parent's state changes fastest from row to row.
std::vector<double> joint_with(const CategoricalNetwork& network,
                               const CategoricalVariable& variable, std::size_t place) {
  const std::size_t width = variable.n_categories();
  std::vector<double> joint(network.causes()[variable.parents[place]].cardinality() * width, 0);
  for (std::size_t row = 0; row * width < variable.table.size(); ++row) {
    double probability = 1;
    std::size_t state = 0;
    std::size_t rest = row;
    for (std::size_t p = 0; p < variable.parents.size(); ++p) {
      const std::vector<double>& prior = network.causes()[variable.parents[p]].prior;
      probability *= prior[rest % prior.size()];
      if (p == place) state = rest % prior.size();
      rest /= prior.size();
    }
    for (std::size_t code = 0; code < width; ++code) {
      joint[state * width + code] += probability * variable.table[row * width + code];
    }
  }
  return joint;
}

/// Of a variable and one of its parents, nats.
double mutual_information(const std::vector<double>& joint, std::size_t width) {
  std::vector<double> of_category(width, 0);
  for (std::size_t i = 0; i < joint.size(); ++i) of_category[i % width] += joint[i];
  double sum = 0;
  for (std::size_t first = 0; first < joint.size(); first += width) {
    double of_state = 0;
    for (std::size_t code = 0; code < width; ++code) of_state += joint[first + code];
    for (std::size_t code = 0; code < width; ++code) {
      const double both = joint[first + code];
      if (both > 0) sum += both * std::log(both / (of_state * of_category[code]));
    }
  }
  return sum;
}

}  // namespace

std::vector<std::string> titles_of_causes(const CategoricalNetwork& network) {
  struct Child {
    double information = 0;
    const std::string* name = nullptr;
  };
  std::vector<std::vector<Child>> children(network.n_causes());
  for (const CategoricalVariable& variable : network.variables()) {
    for (std::size_t p = 0; p < variable.parents.size(); ++p) {
      const double information =
          mutual_information(joint_with(network, variable, p), variable.n_categories());
      children[variable.parents[p]].push_back({information, &variable.name});
    }
  }
  std::vector<std::string> titles;
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    std::ranges::stable_sort(children[k], std::ranges::greater{}, &Child::information);
    std::vector<std::string> names;
    for (const Child& child : children[k]) names.push_back(*child.name);
    titles.push_back(report::title_of_cause(network.causes()[k].name, names));
  }
  return titles;
}

}  // namespace orrery::categorical
