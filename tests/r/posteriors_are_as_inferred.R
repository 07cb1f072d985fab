# orrery_read_posterior says what `orrery infer` writes as CSV.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))

inferred <- function(model, data, ...) {
  program("infer", model, data, ..., output = "posterior.h5")
  program("infer", model, data, ..., output = "posterior.csv")
  list(read = orrery_read_posterior("posterior.h5"),
       table = utils::read.csv("posterior.csv", check.names = FALSE, na.strings = "", numerals = "no.loss"))
}

# read.csv may be off by the last digit of a double.
near <- function(what, found, wanted) {
  wanted <- suppressWarnings(as.numeric(sub("-Inf", "-inf", wanted)))
  check(what, length(found) == length(wanted) && all(
    abs(found - wanted) <= 1e-14 * abs(wanted) | found == wanted | (is.nan(found) & is.na(wanted)), na.rm = FALSE))
}

posterior <- function(model, data, ...) {
  found <- inferred(model, data, min_posterior = 0, top = 1, ...)
  for (cause in colnames(found$read$probability)) near(cause, found$read$probability[, cause], found$table[[cause]])
  for (name in c("log_evidence", "log_evidence_error", "effective_samples")) {
    near(name, found$read[[name]], found$table[[name]])
  }
  same("method", found$read$method, found$table$method)
  shown <- found$read$explanations
  rows <- found$table[shown$row, ]
  same("explanations", ifelse(shown$causes == "", "no cause", shown$causes), rows$explanation_1)
  near("their probabilities", shown$probability, rows$explanation_1_probability)
  same("proven", as.integer(shown$proven), rows$explanation_1_proven)
  invisible(found)
}

paths <- family("noisy_or", "img", 800, "quartet")
posterior(paths$model, paths$data)
posterior(paths$model, paths$data, method = "sample", samples = 200)
paths <- family("categorical", "categorical:1,2,6", 200, "sep", causes = 2)
found <- posterior(paths$model, paths$data)
check("states are columns", all(grepl(" = ", colnames(found$read$probability))))

writeLines(paste0('{"format": "orrery-network-1", "causes": [{"name": "c", "prior": 0.5}], "observed": [',
                  '{"name": "a", "leak": 0}, {"name": "b", "leak": 0.1}], "edges": [[0, 1, 0.5]]}'), "sure.json")
orrery_write_samples("two.h5", data.frame(a = c(0, 1), b = c(1, 1)))
program("infer", "sure.json", "two.h5", top = 1, output = "two.posterior.h5")
read <- orrery_read_posterior("two.posterior.h5")
same("methods", read$method, c("exact", "impossible"))
check("an impossible row", is.nan(read$probability[2, 1]) && read$log_evidence[2] == -Inf && all(read$explanations$row == 1))

paths <- family("tree", "tree:recursive:12", 1000, "tree", crossover = 0.05)
found <- inferred(paths$model, paths$data, predict = "x3,x7")
same("variables", colnames(found$read$probability), c("x3", "x7"))
for (name in c("x3", "x7")) near(name, found$read$probability[, name], found$table[[name]])
near("evidence", found$read$log_evidence, found$table$log_evidence)
check("given", found$read$given == 10 && found$read$crossover == 0.05)
finish()
