// What a page ends with: the terms that it uses, and where the model came from.
#include <fmt/format.h>

#include <array>
#include <cctype>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "orrery/base/version.hpp"
#include "report/page.hpp"
#include "report/papers.hpp"
#include "report/text.hpp"

namespace orrery::report {

// The glossary.

namespace {

struct Term {
  std::string_view words;  ///< as they stand on a page, in small letters; "|" between forms
  std::string_view name;
  std::string_view meaning;
};

// In the order in which the page lists them. No meaning uses a term that its page may lack.
constexpr std::array terms = {
    Term{"anchor|anchors", "anchor", "a variable that one cause alone switches on"},
    Term{"cause|causes", "cause", "a hidden variable: nobody observed it"},
    Term{"children|child", "children", "variables that a cause acts on"},
    Term{"cosine|cosines", "cosine",
         "of the strengths of two causes: 1 if they act on the same variables in the same "
         "proportions, 0 if they share none"},
    Term{"coupling|couplings", "coupling", "how much one hidden cause moves another"},
    Term{"crossover", "crossover",
         "the probability that an observed sign is the opposite of the hidden one"},
    Term{"depth", "depth",
         "how often causes of lower depth must be subtracted before quartet tests show a cause"},
    Term{"edge|edges", "edge", "a pair of a cause and its child, or of two joined variables"},
    Term{"extra", "extra", "learned, but not in the true network"},
    Term{"failure|failures", "failure",
         "the probability that a present cause does not switch its child on"},
    Term{"held out", "held out", "rows that the model was not learned from"},
    Term{"innovation", "innovation", "the variance of a cause that other causes do not explain"},
    Term{"leak|leaks", "leak", "the probability that a variable is on with every cause absent"},
    Term{"likelihood|log likelihood", "log-likelihood",
         "the logarithm of the probability of a row under the model, in nats; higher is better"},
    Term{"loading|loadings", "loading", "how much a hidden cause moves a variable"},
    Term{"matched", "matched", "a true cause that a learned one is alike to"},
    Term{"missed", "missed", "in the true network, but not learned"},
    Term{"nats", "nats", "unit of log-likelihoods: natural logarithms"},
    Term{"parents|parent", "parents", "the causes that act on a variable"},
    Term{"posterior", "posterior", "the probability given what was observed"},
    Term{"prior|priors", "prior",
         "the probability that a cause is present, when nothing else is known"},
    Term{"quartet|quartets", "quartet", "four variables whose joint distribution is tested"},
    Term{"recovered", "recovered",
         "a true cause that was learned, each failure within a factor of e"},
    Term{"resample|resamples", "resample", "as many rows, drawn anew with replacement"},
    Term{"round|rounds", "round",
         "one pass of the search, after which found causes are subtracted"},
    Term{"stability", "stability",
         "the share of bootstrap resamples in which a cause, or an edge, is learned again"},
    Term{"1 f|strength|strengths", "strength, 1 - f",
         "the probability that a present cause switches its child on"},
    Term{"support", "support", "the number of accepted quartets that imply a cause"},
    Term{"z", "z", "how many standard deviations a count is from what the model expects"},
    Term{"95 interval|95 intervals|intervals", "95 % interval",
         "holds the true value for 95 of 100 tables of this size, if the model is right"},
};

/// Where an element ends whose text nobody reads; `at` is behind its opening tag.
std::size_t end_of_unread(std::string_view html, std::string_view name, std::size_t at) {
  return std::min(html.find(fmt::format("</{}", name), at), html.size());
}

/// " a cause is ": the words as they are read, in small letters, single blanks around them.
std::string words_of(std::string_view html) {
  std::string words = " ";
  const auto blank = [&] {
    if (words.back() != ' ') words += ' ';
  };
  for (std::size_t at = 0; at < html.size(); ++at) {
    if (html[at] == '<') {
      blank();
      const std::size_t end = std::min(html.find('>', at), html.size());
      const std::string_view tag = html.substr(at + 1, end - at - 1);
      at = end;
      for (const std::string_view unread : {"style", "script", "title"}) {
        if (tag.starts_with(unread)) at = end_of_unread(html, unread, end) - 1;
      }
    } else if (html[at] == '&') {
      blank();
      at = std::min(html.find(';', at), html.size());
    } else if (std::isalnum(static_cast<unsigned char>(html[at])) != 0) {
      words += static_cast<char>(std::tolower(static_cast<unsigned char>(html[at])));
    } else {
      blank();
    }
  }
  blank();
  return words;
}

bool uses(const std::string& words, std::string_view forms) {
  while (!forms.empty()) {
    const std::size_t bar = std::min(forms.find('|'), forms.size());
    if (words.find(fmt::format(" {} ", forms.substr(0, bar))) != std::string::npos) return true;
    forms.remove_prefix(std::min(bar + 1, forms.size()));
  }
  return false;
}

}  // namespace

std::string glossary_section(std::string_view html) {
  const std::string words = words_of(html);
  std::string entries;
  for (const Term& term : terms) {
    if (!uses(words, term.words)) continue;
    append_text(entries, "<div><dt>{}</dt><dd>{}</dd></div>\n", term.name, term.meaning);
  }
  if (entries.empty()) return "";
  return fmt::format("<section class=\"foot\"><h2>Glossary</h2><dl>\n{}</dl></section>\n", entries);
}

// Where the model came from.

namespace {

constexpr std::size_t longest_fact = 400;  // characters

void add_fact(std::string& out, const char* what, const std::string& value) {
  if (value.empty()) return;
  append_text(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", what,
              escape(shorten(value, longest_fact)));
}

std::string hexadecimal(std::uint64_t digest) {
  return digest == 0 ? "" : fmt::format("{:016x}", digest);
}

std::string run_facts(const MadeBy& run) {
  std::string out;
  add_fact(out, "command", run.command);
  add_fact(out, "program",
           fmt::format("orrery {}{}", run.version,
                       run.commit.empty() ? "" : fmt::format(" (commit {})", run.commit)));
  add_fact(out, "seed", fmt::format("{}", run.seed));
  add_fact(out, "started", run.started);
  add_fact(out, "host",
           fmt::format("{}, {} of {}", run.host, count_of(run.ranks, "rank"),
                       count_of(run.threads, "thread")));
  return out;
}

std::string citation(const Colophon& colophon) {
  const std::string& used = colophon.made_by ? colophon.made_by->version : std::string(version);
  std::string out = fmt::format("<p class=\"cite\">Cite as: {}</p>\n",
                                escape(program_as_text(shorten(used, longest_fact))));
  for (const std::string& key : colophon.papers) {
    append_text(out, "<p class=\"cite\">The method: {}</p>\n", escape(as_text(find_paper(key))));
  }
  return out;
}

}  // namespace

std::string provenance_section(const Colophon& colophon) {
  std::string facts;
  add_fact(facts, "model", colophon.file);
  add_fact(facts, "digest of the model", hexadecimal(colophon.model_digest));
  if (colophon.made_by) facts += run_facts(*colophon.made_by);
  add_fact(facts, "data file", colophon.data_file);
  add_fact(facts, "digest of the data", hexadecimal(colophon.data_digest));
  if (colophon.n_samples > 0) add_fact(facts, "samples", format_count(colophon.n_samples));
  std::string note;
  if (!colophon.made_by) {
    note =
        "<p class=\"note\">How this network was made is not recorded: files of <code>orrery "
        "learn</code> say "
        "so, JSON and built-in networks do not.</p>";
  }
  return fmt::format(
      "<section class=\"foot\"><h2>Where it came from</h2>{}<table class=\"scores\"><tbody>\n{}"
      "</tbody></table>\n{}</section>\n",
      note, facts, citation(colophon));
}

}  // namespace orrery::report
