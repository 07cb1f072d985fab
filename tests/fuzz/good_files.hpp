// One good file of each kind that the store reads: small, and with everything that the schema
// allows. Generators and fuzz targets spoil copies of them.
#pragma once

#include <filesystem>

namespace orrery::fuzz {

/// 100 samples of five variables, values missing in two of them, and the network they are not of.
void write_good_samples(const std::filesystem::path& path);
/// 100 samples of five numbers, values missing in two of the columns.
void write_good_dense(const std::filesystem::path& path);
/// The pairs and triples of 100 samples of five variables.
void write_good_moments(const std::filesystem::path& path);
/// Three causes of five variables, two of them learned.
void write_good_model(const std::filesystem::path& path);
/// Two options, two arrays of words (one empty) and one of reals.
void write_good_checkpoint(const std::filesystem::path& path);
void write_good_posterior(const std::filesystem::path& path);
/// Five signs, one of them alone, one error not known.
void write_good_tree(const std::filesystem::path& path);

/// Two causes of five variables, two levels above them, and all that a learner may tell but of a
/// coupling.
void write_good_linear(const std::filesystem::path& path);
/// Two causes with a coupling, of three variables.
void write_good_coupled(const std::filesystem::path& path);

/// Three causes of five variables, dependent, with anchors of which one is a union, and all that a
/// learner may tell.
void write_good_anchored(const std::filesystem::path& path);

/// 100 rows of three variables, values missing, and the network they are not of: two causes, and
/// all that a learner may tell.
void write_good_categorical(const std::filesystem::path& path);

}  // namespace orrery::fuzz
