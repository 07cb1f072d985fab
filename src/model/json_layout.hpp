// What the JSON layouts of all models share: names, where the model came from, lists a line an
// item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/origin.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

// ---- reading

/// Gives out the names of one list and sees to it that they tell its members apart.
class JsonNames {
 public:
  /// The member "name" of `owner`; STEM INDEX without one. Throws InputError.
  std::string read(const JsonEntry& owner, const std::string& stem, std::size_t index);

 private:
  std::unordered_map<std::string, std::string> owner_of_;
};

/// "learner", "n_samples" and "data_digest" of the whole, each optional.
Origin read_origin(const JsonEntry& root);

/// Throws InputError unless the list has `size` values.
void require_json_size(const JsonEntry& list, std::size_t size);
/// Texts without a zero byte, which would end them in HDF5.
std::vector<std::string> read_texts(const JsonEntry& list);
inline constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();
std::uint32_t read_index(const JsonEntry& entry);
std::vector<std::uint32_t> read_indices(const JsonEntry& list);

/// What a model's own checks find is reported with the file it came from.
template <class Work>
auto in_file(const JsonEntry& root, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(root.file() + ": " + error.what());
  }
}

/// Throws InputError if one of several networks is asked for in a file of one without a name.
void refuse_entry_of_one(const JsonEntry& root, const std::string& entry);

/// Documents that are parsed; each throws InputError.
LearnedModel network_from_json(const JsonEntry& root, const std::string& entry);
LearnedTree tree_from_json(const JsonEntry& root);
LearnedLinear linear_from_json(const JsonEntry& root);
LearnedCategorical categorical_from_json(const JsonEntry& root);
inline constexpr std::string_view network_format = "orrery-network-1";
inline constexpr std::string_view tree_format = "orrery-tree-1";
inline constexpr std::string_view linear_format = "orrery-linear-1";
/// Of a noisy-OR network with tables of its causes and anchors, by earlier versions.
inline constexpr std::string_view anchored_format = "orrery-anchored-1";
inline constexpr std::string_view categorical_format = "orrery-categorical-1";

// ---- writing

/// A JSON string.
std::string json_text(const std::string& text);
/// The brace that opens, "format" and the origin, a member a line.
std::string json_head(std::string_view format, const Origin& origin);
/// A JSON array, an item a line, the key first.
void append_json_list(std::string& out, std::string_view key, const std::vector<std::string>& items,
                      std::string_view end);
/// JSON strings.
std::vector<std::string> json_texts(const std::vector<std::string>& texts);
/// null for what is no number.
std::vector<std::string> json_numbers(const std::vector<double>& values);

}  // namespace orrery::model
