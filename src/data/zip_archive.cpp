#include "data/zip_archive.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <utility>

#include "base/output_file.hpp"
#include "data/cells.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

void ZipArchive::Discard::operator()(zip* archive) const noexcept { zip_discard(archive); }
void ZipMember::Close::operator()(zip_file* file) const noexcept { zip_fclose(file); }

ZipArchive::ZipArchive(const std::filesystem::path& path) : file_(path.string()) {
  require_readable_file(file_);
  int code = 0;
  archive_.reset(zip_open(file_.c_str(), ZIP_RDONLY, &code));
  if (archive_ == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw InputError(fmt::format(
        "{}: cannot be read as a zip archive: {}; was it written completely?", file_, why));
  }
  const zip_int64_t n_members = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < n_members; ++i) {
    zip_stat_t status;
    zip_stat_init(&status);
    const auto index = static_cast<zip_uint64_t>(i);
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
    if (zip_stat_index(archive_.get(), index, 0, &status) != 0 ||
        (status.valid & needed) != needed) {
      throw InputError(fmt::format(
          "{}: the list of the archive's members is damaged; write the file again", file_));
    }
    members_.push_back({status.name, index, status.size});
  }
}

const ZipArchive::Member* ZipArchive::find(const std::string& name) const {
  const auto found = std::ranges::find(members_, name, &Member::name);
  return found == members_.end() ? nullptr : &*found;
}

ZipMember::ZipMember(std::shared_ptr<const ZipArchive> archive, const ZipArchive::Member& member)
    : archive_(std::move(archive)), member_(&member) {
  restart();
}

std::string ZipMember::describe() const {
  const std::string quoted = in_quotes(member_->name);
  return fmt::format("{}: {}", archive_->file_, quoted.substr(1, quoted.size() - 2));
}

void ZipMember::refuse(const std::string& why) const {
  throw InputError(fmt::format("{}: {}; write the file again", describe(), why));
}

void ZipMember::restart() {
  stream_.reset();
  stream_.reset(zip_fopen_index(archive_->archive_.get(), member_->index, 0));
  if (stream_ != nullptr) return;
  zip_error_t* const error = zip_get_error(archive_->archive_.get());
  if (zip_error_code_zip(error) == ZIP_ER_NOPASSWD) {
    throw InputError(fmt::format("{}: is encrypted; save it without a password", describe()));
  }
  refuse(fmt::format("cannot be unpacked: {}", zip_error_strerror(error)));
}

void ZipMember::read(std::uint64_t n, unsigned char* bytes) {
  while (n > 0) {
    const zip_int64_t n_read = zip_fread(stream_.get(), bytes, n);
    if (n_read < 0) {
      refuse(fmt::format("cannot be unpacked: {}", zip_file_strerror(stream_.get())));
    }
    if (n_read == 0) refuse("ends before the size that the archive says");
    n -= static_cast<std::uint64_t>(n_read);
    bytes += n_read;
  }
}

void ZipMember::finish() {
  unsigned char more = 0;
  const zip_int64_t n_read = zip_fread(stream_.get(), &more, 1);
  if (n_read < 0) {
    refuse(fmt::format("cannot be unpacked: {}", zip_file_strerror(stream_.get())));
  }
  if (n_read > 0) refuse("unpacks to more than the size that the archive says");
}

}  // namespace orrery::data
