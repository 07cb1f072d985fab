// The members of a zip archive, each read from its beginning to its end; several at once. libzip
// finds and unpacks them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct zip;
struct zip_file;

namespace orrery::data {

class ZipArchive {
 public:
  struct Member {
    std::string name;
    std::uint64_t index = 0;
    std::uint64_t n_bytes = 0;  ///< unpacked, as the archive says
  };

  /// Reads the list of members. Throws InputError for a file that cannot be read, that is no zip
  /// archive, or that is cut short.
  explicit ZipArchive(const std::filesystem::path& path);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }
  /// Null if there is none.
  [[nodiscard]] const Member* find(const std::string& name) const;

 private:
  friend class ZipMember;
  struct Discard {
    void operator()(zip* archive) const noexcept;
  };

  std::string file_;
  std::unique_ptr<zip, Discard> archive_;
  std::vector<Member> members_;
};

/// A member that is being read.
class ZipMember {
 public:
  /// At its beginning. Throws InputError if it is encrypted, or packed in a way that is not known.
  ZipMember(std::shared_ptr<const ZipArchive> archive, const ZipArchive::Member& member);

  /// "t.npz: data.npy"
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const ZipArchive::Member& member() const noexcept { return *member_; }
  void restart();
  /// The next bytes. Throws InputError if the member ends before, or is damaged.
  void read(std::uint64_t n, unsigned char* bytes);
  /// Throws InputError unless this is the end of the member, and its checksum is right.
  void finish();

 private:
  struct Close {
    void operator()(zip_file* file) const noexcept;
  };
  [[noreturn]] void refuse(const std::string& why) const;

  std::shared_ptr<const ZipArchive> archive_;
  const ZipArchive::Member* member_;
  std::unique_ptr<zip_file, Close> stream_;
};

}  // namespace orrery::data
