// What a message must say.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery {

/// Every part stands in the message, and the message is one line.
inline void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  }
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

inline void expect_part(const std::string& message, const std::string& part) {
  expect_parts(message, {part});
}

}  // namespace orrery
