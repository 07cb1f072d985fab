// The causes behind a table of zeros and ones, by quartet tests.
#include <cstdio>
#include <orrery/base/error.hpp>
#include <orrery/family/files.hpp>
#include <orrery/learning/quartet.hpp>

int main(int argc, char** argv) try {
  const auto samples = orrery::read_samples(argc > 1 ? argv[1] : "data.h5");
  const auto learned = orrery::learn::quartet(samples);
  for (const auto& cause : learned.network.causes()) {
    std::printf("%s: prior %.2f\n", cause.name.c_str(), cause.prior);
  }
  orrery::write_model("model.h5", learned);
} catch (const orrery::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.code());
}
