#include "report/papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace orrery::report {

namespace {

constexpr const char* program_authors = "The orrery maintainers";  // as CITATION.cff has them
constexpr const char* program_title = "orrery: finds the hidden causes behind tables of data";

/// "Halpern, Yonatan" as "Y. Halpern", "Kakade, Sham M." as "S. M. Kakade".
std::string short_name(std::string_view name) {
  const std::size_t comma = name.find(", ");
  const std::string_view given = name.substr(comma + 2);
  std::string initials;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i == 0 || given[i - 1] == ' ') initials += fmt::format("{}. ", given[i]);
  }
  return initials + std::string(name.substr(0, comma));
}

std::vector<std::string_view> names_of(std::string_view authors) {
  constexpr std::string_view between = " and ";
  std::vector<std::string_view> names;
  for (;;) {
    const std::size_t end = authors.find(between);
    names.push_back(authors.substr(0, end));
    if (end == std::string_view::npos) return names;
    authors.remove_prefix(end + between.size());
  }
}

}  // namespace

const std::vector<Paper>& papers() {
  static const std::vector<Paper> table{
      {"anandkumar2013",
       "Anandkumar, Animashree and Hsu, Daniel and Javanmard, Adel and Kakade, Sham M.",
       "Learning linear Bayesian networks with latent variables", "ICML",
       "Proceedings of the 30th International Conference on Machine Learning", 2013},
      {"cheeseman1996", "Cheeseman, Peter and Stutz, John",
       "Bayesian classification (AutoClass): theory and results", "",
       "Advances in Knowledge Discovery and Data Mining", 1996},
      {"chow1968", "Chow, C. K. and Liu, C. N.",
       "Approximating discrete probability distributions with dependence trees",
       "IEEE Transactions on Information Theory", "IEEE Transactions on Information Theory", 1968,
       true},
      {"friedman1998", "Friedman, Nir", "The Bayesian structural EM algorithm", "UAI",
       "Proceedings of the 14th Conference on Uncertainty in Artificial Intelligence", 1998},
      {"halpern2013", "Halpern, Yonatan and Sontag, David",
       "Unsupervised learning of noisy-or Bayesian networks", "UAI",
       "Proceedings of the 29th Conference on Uncertainty in Artificial Intelligence", 2013},
      {"halpern2015", "Halpern, Yoni and Horng, Steve and Sontag, David",
       "Anchored discrete factor analysis", "arXiv", "arXiv", 2015, true},
      {"jernite2013", "Jernite, Yacine and Halpern, Yonatan and Sontag, David",
       "Discovering hidden variables in noisy-or networks using quartet tests", "NIPS",
       "Advances in Neural Information Processing Systems 26", 2013},
      {"lazic2013", "Lazic, Nevena and Bishop, Christopher M. and Winn, John",
       "Structural expectation propagation (SEP): Bayesian structure learning for networks with "
       "latent variables",
       "AISTATS",
       "Proceedings of the 16th International Conference on Artificial Intelligence and Statistics",
       2013},
      {"nikolakakis2018",
       "Nikolakakis, Konstantinos E. and Kalogerias, Dionysios S. and Sarwate, Anand D.",
       "Predictive learning on sign-valued hidden Markov trees", "arXiv", "arXiv", 2018, true},
      {"singliar2006", "Singliar, Tomas and Hauskrecht, Milos",
       "Noisy-OR component analysis and its application to link analysis", "JMLR",
       "Journal of Machine Learning Research", 2006, true},
  };
  return table;
}

const Paper& find_paper(std::string_view key) {
  const auto found = std::ranges::find(papers(), key, &Paper::key);
  if (found != papers().end()) return *found;
  throw std::logic_error(fmt::format("no paper has the key {}", key));
}

std::string as_text(const Paper& paper) {
  std::string authors;
  for (const std::string_view name : names_of(paper.authors)) {
    authors += (authors.empty() ? "" : ", ") + short_name(name);
  }
  const std::string_view venue = paper.venue;
  return fmt::format("{}. {}. {}{}{}.", authors, paper.title, venue, venue.empty() ? "" : " ",
                     paper.year);
}

std::string as_bibtex(const Paper& paper) {
  return fmt::format(
      "@{}{{{},\n  author = {{{}}},\n  title = {{{{{}}}}},\n  {} = {{{}}},\n  year = {{{}}}\n}}\n",
      paper.is_article ? "article" : "inproceedings", paper.key, paper.authors, paper.title,
      paper.is_article ? "journal" : "booktitle", paper.series, paper.year);
}

std::string program_as_text(std::string_view version) {
  return fmt::format("{}. orrery, version {} (software).", program_authors, version);
}

std::string program_as_bibtex(std::string_view version, std::string_view commit,
                              std::string_view date) {
  const std::string year =
      date.size() < 4 ? "" : fmt::format(",\n  year = {{{}}}", date.substr(0, 4));
  return fmt::format(
      "@misc{{orrery,\n  author = {{{{{}}}}},\n  title = {{{{{}}}}},\n"
      "  howpublished = {{Software, version {}, commit {}}}{}\n}}\n",
      program_authors, program_title, version, commit, year);
}

}  // namespace orrery::report
