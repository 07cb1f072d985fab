// Models as JSON documents.
#pragma once

#include <functional>
#include <string>

#include "model/json_entry.hpp"
#include "store/archive.hpp"

namespace orrery::store {

/// Takes fields out of a document that was parsed. Keys that nobody asks for are passed over.
void read_json_fields(const model::JsonEntry& root,
                      const std::function<void(Archive& archive)>& fields);

/// The document: "format" first, a member per line, the items of a list on lines of their own,
/// numbers with round-trip precision.
[[nodiscard]] std::string json_of_fields(const std::string& format,
                                         const std::function<void(Archive& archive)>& fields);

}  // namespace orrery::store
