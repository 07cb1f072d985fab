#include "families/model_examples.hpp"

#include <cmath>
#include <random>
#include <utility>

#include "families/categorical/network/examples.hpp"
#include "families/linear/network/examples.hpp"
#include "families/noisy_or/anchored/causes.hpp"
#include "model/anchored_examples.hpp"
#include "model/anchored_generators.hpp"
#include "model/oracle.hpp"
#include "store/store_fixture.hpp"

namespace orrery::family {
namespace {

using model::LearnedModel;
using model::LearnedTree;

LearnedModel of(model::NoisyOrNetwork network) {
  LearnedModel learned;
  learned.network = std::move(network);
  return learned;
}

/// Names to be escaped, parameters next to 0 and 1, and all that a learner may tell.
LearnedModel awkward_model() {
  LearnedModel model = of({{{"u \"1\"\\\n", 1.0 / 3}, {"caf\xC3\xA9", 5e-324}},
                           {{"a", 0.1 + 0.2}, {"b", 1}, {"c", 1e-17}, {"d", 0}},
                           {{0, 0, 0}, {0, 3, std::nextafter(1.0, 0.0)}, {1, 2, 1e-300}}});
  model.provenance = {{0, {0, 1, 2, 3}, 0.0123, 0, 12}, {2, {3, 2, 1, -1}, -1, 0, 0}};
  model.errors = {{1.0 / 7, std::nan("")}, {0, 1e-300, std::nan(""), 0.5}, {0.1, 0.2, 0.3}};
  model.stability = {30, {29.0 / 30, 1}, {1.0 / 3, 0, 1}};
  model.fit = {1.0 / 3, 290, -7.1, -7.2, -10, -6.7, 5};
  model.learner = "quartet";
  model.n_samples = 10000;
  model.data_digest = 0x00FEDCBA98765432U;
  model.remarks = {"the time was \"over\"", "caf\xC3\xA9"};
  return model;
}

LearnedTree awkward_tree() {
  LearnedTree learned = store::some_tree();
  learned.tree = model::SignTree({"left", "a \"quoted\" name", "右", "alone"}, {.25, 0, -.5, .1},
                                 {{0, 2, -.625}, {1, 2, 1 / 3.0}}, .0625);
  learned.remarks = {"the time was over"};
  return learned;
}

}  // namespace

std::vector<AnyModel> examples() {
  std::vector<AnyModel> all{awkward_model(), awkward_tree(),
                            model::anchored_examples::learned_anchored_example(),
                            model::linear_examples::learned_linear_example(),
                            model::categorical_examples::learned_categorical_example()};
  // What a learner may leave out.
  LearnedModel bare = awkward_model();
  bare.provenance.clear();
  bare.learner.clear();
  bare.errors = {};
  bare.stability = {};
  bare.fit = {.25};
  all.emplace_back(bare);
  LearnedModel alone = of({{}, {{"x", .5}}, {}});
  alone.errors.leak = {.25};
  all.emplace_back(alone);
  LearnedTree single;
  single.tree = model::SignTree({"x"}, {}, {}, 0);
  all.emplace_back(single);
  model::LearnedCategorical categories;
  categories.network = model::categorical_examples::small();
  all.emplace_back(categories);
  categories.network = model::CategoricalNetwork({}, {{"x", {"a", "b"}, {}, {.5, .5}, {}}});
  all.emplace_back(categories);
  all.emplace_back(model::LearnedLinear());
  // Networks of each kind.
  for (model::LinearParts parts :
       {model::linear_examples::independent(), model::linear_examples::dependent(),
        model::linear_examples::coupled(), model::linear_examples::levelled()}) {
    parts.names = {"left", "a \"quoted\" name", "右"};
    parts.law = model::CauseLaw::heavy_tailed;
    parts.loadings(0, 0) = 1 / 3.;
    model::LearnedLinear learned;
    learned.network = model::LinearNetwork(parts);
    all.emplace_back(learned);
  }
  LearnedModel recovered = model::anchored_examples::learned_anchored_example();
  recovered.moments = anchored::exact_tables(recovered.network.cause_network(), 4);
  all.emplace_back(recovered);
  all.emplace_back(of(model::anchored_examples::three_causes()));
  for (const char* spec : {"anchored:tree:9,30", "anchored:indegree:3,9,30"}) {
    all.emplace_back(
        of(model::generate_anchored(model::parse_anchored_spec(spec).value(), {{}, .5}, 3)));
  }
  std::mt19937_64 random(8);
  for (int i = 0; i < 10; ++i) {
    all.emplace_back(of(model::oracle::random_network(random, 5, 9, 0.5)));
  }
  return all;
}

}  // namespace orrery::family
