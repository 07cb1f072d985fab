// True failures against learned ones: a point an edge that either network has.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "families/noisy_or/page/anchored_page.hpp"
#include "families/noisy_or/page/view.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr double scatter_side = 380;
constexpr double scatter_left = 46;
constexpr double scatter_top = 12;
constexpr double scatter_bottom = 42;
constexpr std::size_t most_points = 5'000;

struct FailurePair {
  std::uint32_t cause = 0;     // learned
  std::uint32_t observed = 0;  // learned
  double learned = 1;
  double truth = 1;
  bool anchor = false;
};

/// Of each learned variable the true one: by name, or by place where no name is shared; -1: none.
std::vector<std::int64_t> true_variables(const AnchoredView& view) {
  const auto& learned = view.network().observed();
  const auto& truth = view.truth().observed();
  std::map<std::string, std::int64_t> places;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    places.emplace(truth[i].name, static_cast<std::int64_t>(i));
  }
  std::vector<std::int64_t> found(learned.size(), -1);
  bool any = false;
  for (std::size_t i = 0; i < learned.size(); ++i) {
    const auto place = places.find(learned[i].name);
    if (place == places.end()) continue;
    found[i] = place->second;
    any = true;
  }
  for (std::size_t i = 0; !any && i < std::min(learned.size(), truth.size()); ++i) {
    found[i] = static_cast<std::int64_t>(i);
  }
  return found;
}

std::vector<FailurePair> pairs_of(const AnchoredView& view) {
  const std::vector<std::int64_t> variables = true_variables(view);
  const model::NoisyOrNetwork& truth = view.truth();
  std::vector<FailurePair> pairs;
  for (std::uint32_t i = 0; i < view.network().n_causes(); ++i) {
    if (view.true_cause[i] < 0) continue;
    const std::vector<double> learned = view.network().dense_failures(i);
    const std::vector<double> real =
        truth.dense_failures(static_cast<std::size_t>(view.true_cause[i]));
    for (std::uint32_t j = 0; j < learned.size(); ++j) {
      if (variables[j] < 0) continue;
      const double true_failure = real[static_cast<std::size_t>(variables[j])];
      if (learned[j] == 1 && true_failure == 1) continue;
      pairs.push_back(
          {i, j, learned[j], true_failure, is_anchor(view.learned->network, {i, j, 0})});
    }
  }
  return pairs;
}

double x_of(double failure) { return scatter_left + scatter_side * failure; }
double y_of(double failure) { return scatter_top + scatter_side * (1 - failure); }

std::string axes() {
  std::string out = fmt::format(
      "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><path class=\"even\" "
      "d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n",
      scatter_left, scatter_top, scatter_side, scatter_side, x_of(0), y_of(0), x_of(1), y_of(1));
  for (int tick = 0; tick <= 4; ++tick) {
    const double value = tick / 4.;
    append_text(out,
                "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text><text "
                "x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\" text-anchor=\"end\">{}</text>\n",
                x_of(value), scatter_top + scatter_side + 16, value, scatter_left - 6, y_of(value),
                value);
  }
  append_text(out,
              "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">true failure</text><text "
              "transform=\"translate(12 {:.1f}) rotate(-90)\" text-anchor=\"middle\">learned "
              "failure</text>\n",
              x_of(.5), scatter_top + scatter_side + 34, y_of(.5));
  return out;
}

void draw_point(const AnchoredView& view, const FailurePair& pair, std::string& out) {
  const char* kind = pair.anchor         ? "anchor"
                     : pair.truth == 1   ? "wrong"
                     : pair.learned == 1 ? "lacking"
                                         : "found";
  append_text(out,
              "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} \u2192 {}: "
              "learned {}, true {}</title></circle>\n",
              kind, x_of(pair.truth), y_of(pair.learned),
              report::escape(view.cause_name(pair.cause)),
              report::escape(view.network().observed()[pair.observed].name),
              pair.learned == 1 ? "no edge" : report::short_number(pair.learned),
              pair.truth == 1 ? "no edge" : report::short_number(pair.truth));
}

}  // namespace

std::string failures_section(const AnchoredView& view) {
  if (view.input->truth == nullptr) return "";
  std::vector<FailurePair> pairs = pairs_of(view);
  if (pairs.empty()) return "";
  std::string note =
      "A point a loading, of matched causes; on the line what was learned is true. At the right "
      "edge there "
      "is none in truth, at the upper edge none was learned. "
      "<span class=\"legend\"><span class=\"dot found\"></span>in both</span> "
      "<span class=\"legend\"><span class=\"dot anchor\"></span>anchor</span> "
      "<span class=\"legend\"><span class=\"dot wrong\"></span>not true</span> "
      "<span class=\"legend\"><span class=\"dot lacking\"></span>true, not learned</span>";
  if (pairs.size() > most_points) {
    note += fmt::format(" {} of {} are drawn, those that are furthest off.",
                        report::count_of(most_points, "point"),
                        report::count_of(pairs.size(), "point"));
    std::ranges::stable_sort(
        pairs, {}, [](const FailurePair& pair) { return -std::abs(pair.learned - pair.truth); });
    pairs.resize(most_points);
  }
  std::string out = report::open_svg(scatter_left + scatter_side + 16,
                                     scatter_top + scatter_side + scatter_bottom, "scatter",
                                     "Failures, learned against true") +
                    "\n" + axes();
  for (const FailurePair& pair : pairs) draw_point(view, pair, out);
  return report::scroll_section("Failures", note, out + "</svg>\n");
}

}  // namespace orrery::noisy_or
