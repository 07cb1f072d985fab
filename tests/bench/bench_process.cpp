// Wall time of whole commands: usage bench_process ORRERY FOLDER
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/timing.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: {} path/to/orrery scratch-folder\n", argv[0]);
    return 2;
  }
  const std::string orrery = fmt::format("'{}'", argv[1]);
  const std::string folder = argv[2];
  const auto command = [&](const std::string& words) {
    const std::string line = fmt::format("cd '{}' && {} {} -q", folder, orrery, words);
    return [line] {
      if (std::system(line.c_str()) != 0) std::exit(EXIT_FAILURE);
    };
  };
  command("sample --network img --samples 10000 --seed 1 -o bench_img.h5")();
  std::vector<orrery::bench::Contestant> commands{
      {"sample img 10,000", command("sample --network img --samples 10000 --seed 1 -o b.h5")},
      {"learn quartet img 10,000, two threads",
       command("learn quartet bench_img.h5 --threads 2 -o bench_model.h5")},
      {"learn quartet --paper img 10,000, two threads",
       command("learn quartet bench_img.h5 --paper --threads 2 -o bench_model.h5")},
      {"learn quartet img 10,000, one thread",
       command("learn quartet bench_img.h5 --threads 1 -o bench_model.h5")}};
  orrery::bench::compete(commands, 11);
  fmt::print("whole commands, wall time\n");
  orrery::bench::print_times(commands);
  return EXIT_SUCCESS;
}
