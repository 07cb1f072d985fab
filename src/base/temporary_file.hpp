// The file beside an output that is written first: locked as long as its process lives, so that the
// next run can tell what a killed one left behind.
#pragma once

#include <filesystem>

namespace orrery {

struct TemporaryFile {
  std::filesystem::path path;
  int descriptor = -1;  ///< holds the lock until it is closed; -1: the file could not be made
};

/// Makes .NAME.orrery-XXXXXX, empty and private, beside `output`, after removing those that no
/// process holds any more. The lock belongs to the open file (F_OFD_SETLK): it ends with the
/// process however that ends, other descriptors of the file do not touch it, and on network file
/// systems other hosts see it. Where locks do not work nothing is removed. With descriptor -1,
/// errno says why.
[[nodiscard]] TemporaryFile make_temporary(const std::filesystem::path& output);

}  // namespace orrery
