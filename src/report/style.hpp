// The style sheet of the HTML report: light, dark and print; no fonts or images from elsewhere.
#pragma once

namespace orrery::report {

extern const char* const style_sheet;

}  // namespace orrery::report
