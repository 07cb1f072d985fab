// Makes the refinement in a checkpoint one that has taken more states of the causes than it may:
//   costly_checkpoint FILE
#include <exception>
#include <iostream>

#include "store/run.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: costly_checkpoint FILE\n";
    return 2;
  }
  try {
    orrery::store::Checkpoint checkpoint = orrery::store::read_checkpoint(argv[1]);
    // The first number of a refinement: the states that its first EM has looked at.
    checkpoint.reals.at("refinement_values").at(0) = 1e15;
    orrery::store::write_checkpoint(argv[1], checkpoint, {});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
