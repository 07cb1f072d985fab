#pragma once

#include <string>

namespace orrery::model {

inline bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

}  // namespace orrery::model
