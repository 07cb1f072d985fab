#include "families/noisy_or/quartet/scan/quartet_tester.hpp"

#include "families/noisy_or/quartet/scan/calibrated_quartets.hpp"
#include "families/noisy_or/quartet/scan/coherent_quartets.hpp"
#include "families/noisy_or/quartet/scan/rank_quartets.hpp"

namespace orrery::quartet {

std::unique_ptr<QuartetTester> quartet_tester(const Round& round) {
  switch (round.options.test) {
    case Test::calibrated:
      return std::make_unique<CalibratedQuartets>(round);
    case Test::rank:
      return std::make_unique<RankQuartets>(round);
    case Test::coherence:
      break;
  }
  return std::make_unique<CoherentQuartets>(round);
}

}  // namespace orrery::quartet
