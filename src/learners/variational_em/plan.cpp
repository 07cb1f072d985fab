#include "learners/variational_em/plan.hpp"
namespace orrery::variational_em {
learners::Plan predict(const learners::PlanContext&, const Options&) { return {}; }
}  // namespace orrery::variational_em
