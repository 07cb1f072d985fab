# orrery_read_model of files of every family says what `orrery export` says of them, to the last digit.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))

origin <- function(model, told) {
  learned <- !is.null(told$learner)
  same("learner", model$learner, if (learned) told$learner else "")
  same("n_samples", model$n_samples, if (learned) told$n_samples else 0)
  check("digest", identical(model$data_digest, told$data_digest))
  same("remarks", model$remarks, told$remarks)
}

place <- function(names, entries, i) names[unlist(lapply(entries, function(entry) entry[[i]])) + 1]

noisy_or <- function(path) {
  model <- orrery_read_model(path)
  told <- exported(path)
  origin(model, told)
  check("noisy-OR", model$family == "noisy-OR")
  same("causes", model$causes$name, members(told$causes, "name"))
  same("priors", model$causes$prior, members(told$causes, "prior"))
  same("observed", model$observed$name, members(told$observed, "name"))
  same("leaks", model$observed$leak, members(told$observed, "leak"))
  same("cause of edges", model$edges$cause, place(model$causes$name, told$edges, 1))
  same("variable of edges", model$edges$observed, place(model$observed$name, told$edges, 2))
  same("failures", model$edges$failure, members(told$edges, 3))
  same("strengths", model$edges$strength, 1 - model$edges$failure)
  check("errors", is.null(told$failure_errors) == is.null(model$edges$failure_error))
  if (!is.null(told$failure_errors)) {
    same("failure errors", model$edges$failure_error, told$failure_errors)
    same("prior errors", model$causes$prior_error, members(told$causes, "prior_error"))
  }
  for (i in seq_along(told$cause_tables)) {
    same("parents", model$cause_tables[[i]]$parents, model$causes$name[unlist(told$cause_tables[[i]]$parents) + 1])
    same("tables", model$cause_tables[[i]]$on, told$cause_tables[[i]]$on)
  }
  list(model = model, told = told)
}

found <- noisy_or(family("noisy_or", "img", 800, "quartet", stability = 2)$model)
check("causes and errors are there", nrow(found$model$causes) == 8 && all(found$model$edges$failure_error > 0))
same("stability", found$model$edges$stability, found$told$edge_stability)
same("stability of causes", found$model$causes$stability, members(found$told$causes, "stability"))
same("quartets", t(found$model$provenance$quartet), unlist(members(found$told$causes, "quartet")))
same("rounds", found$model$provenance$depth, members(found$told$causes, "depth"))

paths <- list(data = "anchored.data.h5", model = "anchored.model.h5")
program("sample", network = "anchored:tree:4,24", samples = 2000, seed = 3, output = paths$data)
program("export", paths$data, format = "anchors", output = "anchors.csv")
program("learn", "anchored", paths$data, anchors = "anchors.csv", output = paths$model)
for (path in c(paths$model, file.path(project, "tests/cli/older/anchored.h5"))) {
  found <- noisy_or(path)
  check("causes depend", any(lengths(lapply(found$model$cause_tables, `[[`, "parents")) > 0))
  same("anchors", found$model$anchors$observed, place(found$model$observed$name, members(found$told$anchors, "observed"), 1))
  for (name in c("off", "on", "off_error", "on_error", "source")) {
    same(paste("anchors:", name), found$model$anchors[[name]], members(found$told$anchors, name))
  }
}
truth <- noisy_or("noisy_or.data.h5")$model
check("the true network beside samples", truth$learner == "" && all(truth$causes$prior == 0.25))

path <- family("tree", "tree:recursive:12", 1000, "tree", marginals = "free", crossover = 0.05)$model
model <- orrery_read_model(path)
told <- exported(path)
origin(model, told)
same("signs", model$variables$name, members(told$variables, "name"))
same("means", model$variables$mean, members(told$variables, "mean"))
check("means are not 0", any(model$variables$mean != 0))
same("a", model$edges$a, place(model$variables$name, told$edges, 1))
same("b", model$edges$b, place(model$variables$name, told$edges, 2))
same("moments", model$edges$moment, members(told$edges, 3))
same("moment errors", model$edges$moment_error, told$edge_errors)
same("crossover", model$crossover, told$crossover)

linear <- function(path) {
  model <- orrery_read_model(path)
  told <- exported(path)
  origin(model, told)
  same("causes", model$causes, members(told$causes, "name"))
  same("noise", model$observed$noise, members(told$observed, "noise"))
  same("cause of edges", model$edges$cause, place(model$causes, told$edges, 1))
  same("variable of edges", model$edges$observed, place(model$observed$name, told$edges, 2))
  same("loadings", model$edges$loading, members(told$edges, 3))
  list(model = model, told = told)
}
found <- linear(family("linear", "linear:caterpillar:3,4", 2000, "linear")$model)
same("covariance", t(found$model$covariance), unlist(found$told$covariance))
same("estimates", t(found$model$loadings$estimate), unlist(found$told$estimates))
same("rank test", found$model$rank_test$statistic, members(found$told$rank_test, "statistic"))
found <- linear(family("levels", "linear:ternary:4", 20000, "linear", model = "multilevel")$model)
check("levels are there", length(found$model$levels) > 0)
for (i in seq_along(found$told$levels)) {
  level <- found$model$levels[[i]]
  same("level", level$name, found$told$levels[[i]]$causes)
  for (edge in found$told$levels[[i]]$edges) same("loading", level$loading[edge[[2]] + 1, edge[[1]] + 1], edge[[3]])
}
program("sample", network = "linear:caterpillar:3,4", cause_law = "skewed", samples = 20000, output = "coupled.h5")
program("learn", "linear", "coupled.h5", model = "effective-depth-one", output = "coupled.model.h5")
found <- linear("coupled.model.h5")
for (edge in found$told$coupling) same("coupling", found$model$coupling[edge[[2]] + 1, edge[[1]] + 1], edge[[3]])
same("innovations", found$model$innovation, members(found$told$causes, "innovation"))

path <- family("categorical", "categorical:2,3,6", 200, "sep", causes = 3, parents = 2)$model
model <- orrery_read_model(path)
told <- exported(path)
origin(model, told)
same("causes", names(model$causes), members(told$causes, "name"))
same("priors", unlist(model$causes), unlist(members(told$causes, "prior")))
for (i in seq_along(told$observed)) {
  wanted <- told$observed[[i]]
  variable <- model$observed[[wanted$name]]
  same("categories", variable$categories, wanted$categories)
  same("parents", variable$parents, names(model$causes)[unlist(wanted$parents) + 1])
  same("table", t(variable$table), unlist(wanted$table))
  same("counts", t(variable$counts), unlist(wanted$counts))
}
same("structure", t(model$structure$probability), unlist(told$structure))
same("evidence", model$log_evidence, told$log_evidence)
check("edges", nrow(model$edges) == length(unlist(members(told$observed, "parents"))))
finish()
