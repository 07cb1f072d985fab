#include "base/build.hpp"

namespace orrery {
namespace {

Sources& known() {
  static Sources of_program;
  return of_program;
}

}  // namespace

void set_sources(const Sources& sources) { known() = sources; }

const Sources& sources() { return known(); }

}  // namespace orrery
