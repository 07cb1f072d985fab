# Files of orrery in R: samples, models and posteriors as data frames and lists, and the program.
#   source("orrery.R")     needs the package hdf5r (Debian: r-cran-hdf5r) and the program orrery, which
#                          is looked for on PATH, or is what the environment variable ORRERY names
#
#   orrery_run             runs a command
#   orrery_read_samples    rows as a data frame or a matrix
#   orrery_read_model      a model of any family as a list
#   orrery_read_posterior  answers of `orrery infer` as a list
#   orrery_write_samples   rows of a data frame or a matrix into a file
#
# Bits are stored as unsigned words of 64 bits, which R does not have: rows come by way of
# `orrery export`, and go by way of `orrery import`. The program compares every digest of samples and
# models that are read; without the program, models are read with a warning. Of posteriors no digest is
# compared: R has no XXH3-64, and no command reads them.
# Errors have the class orrery_error: conditionMessage(), $exit_code, $command, $log.

# ------------------------------------------------------------------------------------- the program

# A condition; `class` stands before orrery_error.
orrery_error <- function(message, exit_code = NA_integer_, command = NULL, log = character(),
                         class = NULL) {
  structure(class = c(class, "orrery_error", "error", "condition"),
            list(message = message, call = NULL, exit_code = exit_code, command = command, log = log))
}

# The path of the program, or "" if there is none.
orrery_find <- function() {
  named <- Sys.getenv("ORRERY")
  unname(Sys.which(if (nzchar(named)) named else "orrery"))
}

# Options as the program takes them: time_limit = "2s" is --time-limit=2s, TRUE an option without a
# value; FALSE, NA and NULL leave it out; a vector gives it several times (output = c(a, b): -o a b).
orrery_arguments <- function(options) {
  words <- character()
  for (name in names(options)) {
    values <- options[[name]]
    if (is.null(values) || identical(values, FALSE) || anyNA(values)) next
    option <- gsub("_", "-", name)
    text <- vapply(values, format, "", scientific = FALSE, trim = TRUE, digits = 15, USE.NAMES = FALSE)
    words <- c(words, if (isTRUE(values)) paste0(if (nchar(option) == 1) "-" else "--", option)
               else if (option %in% c("o", "output")) c("-o", text)
               else if (nchar(option) == 1) as.vector(rbind(paste0("-", option), text))
               else paste0("--", option, "=", text))
  }
  words
}

# orrery_run("learn", "quartet", "data.h5", output = "model.h5", time_limit = "2s")
#   unnamed arguments are words, named ones options. Returns standard output (invisibly, by lines); with
#   json = TRUE what --json prints, as a list (needs jsonlite). The log is shown as it comes, unless
#   echo = FALSE. Raises orrery_error; orrery_stopped, which is one, if the program stopped at a
#   checkpoint (exit code 75): the same call with resume = TRUE goes on.
orrery_run <- function(..., json = FALSE, echo = TRUE) {
  arguments <- list(...)
  named <- nzchar(if (is.null(names(arguments))) character(length(arguments)) else names(arguments))
  program <- orrery_find()
  if (!nzchar(program)) {
    stop(orrery_error(paste("there is no program orrery on PATH; install it, or set the environment",
                            "variable ORRERY to its path")))
  }
  command <- c(program, unlist(lapply(unname(arguments[!named]), as.character)), orrery_arguments(arguments[named]),
               if (json) "--json")
  scratch <- tempfile("orrery-run-")
  dir.create(scratch)
  on.exit(unlink(scratch, recursive = TRUE))
  part <- function(name) file.path(scratch, name)
  # The exit code of the first part of a pipe is not that of the pipe: it goes into a file.
  system(sprintf("{ { %s; echo $? >%s; } 2>&1 >%s </dev/null | tee %s %s; }",
                 paste(shQuote(command), collapse = " "), shQuote(part("code")), shQuote(part("out")),
                 shQuote(part("log")), if (echo) ">&2" else ">/dev/null"))
  code <- as.integer(readLines(part("code")))
  log <- readLines(part("log"), warn = FALSE, encoding = "UTF-8")
  output <- readLines(part("out"), warn = FALSE, encoding = "UTF-8")
  if (code != 0) {
    errors <- sub("^orrery: error: ", "", grep("^orrery: error: ", log, value = TRUE))
    message <- if (length(errors)) paste(errors, collapse = "; ") else c(rev(log), "no reason was given")[1]
    stop(orrery_error(sprintf("%s (exit code %d)", message, code), code, command, log,
                      if (code == 75) "orrery_stopped"))
  }
  if (json) jsonlite::fromJSON(output, simplifyDataFrame = FALSE) else invisible(output)
}

# --------------------------------------------------------------------------------------- HDF5 files

# What read gives of the open file, whose format and schema are right.
orrery_with_file <- function(path, read) {
  refuse <- function(what, ...) stop(orrery_error(sprintf(paste0("%s: ", what), path, ...)))
  if (!file.exists(path)) refuse("no such file; check the path")
  begin <- readBin(path, "raw", 8)
  if (!identical(begin, as.raw(c(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a)))) {
    refuse("not an HDF5 file; if it is a table, make a file of it with orrery_run(\"import\", ...)")
  }
  file <- tryCatch(hdf5r::H5File$new(path, "r"), error = function(e) {
    refuse("the file is damaged or truncated; restore a copy or write it anew")
  })
  on.exit(file$close_all())
  attributes <- hdf5r::h5attributes(file)
  if (!identical(attributes$format, "orrery") || is.null(attributes$schema)) {
    refuse("an HDF5 file, but not one of orrery's; orrery_run(\"import\", ...) reads tables of others")
  }
  if (attributes$schema != 1) {
    refuse("the file has schema %d, this script reads schema 1; %s", as.integer(attributes$schema),
           if (attributes$schema > 1) "use a newer orrery.R" else "write the file anew")
  }
  read(file)
}

orrery_readers <- c(samples = "orrery_read_samples", dense = "orrery_read_samples",
                    categorical = "orrery_read_samples", model = "orrery_read_model",
                    anchored = "orrery_read_model", tree = "orrery_read_model",
                    linear = "orrery_read_model", categorical_network = "orrery_read_model",
                    posterior = "orrery_read_posterior", prediction = "orrery_read_posterior")

# The first of the groups of a reader that the file holds, by name.
orrery_group <- function(file, path, reader) {
  wanted <- names(orrery_readers)[orrery_readers == reader]
  held <- setdiff(names(file), "run")
  found <- intersect(wanted, held)
  if (length(found)) return(found[1])
  others <- unique(orrery_readers[intersect(names(orrery_readers), held)])
  remedy <- if (length(others)) paste("use", paste(others, collapse = " or ")) else "give a file that holds one"
  stop(orrery_error(sprintf("%s: the file holds %s, but %s reads %s; %s", path,
                            paste0("/", held, collapse = ", "), reader,
                            paste0("/", wanted, collapse = ", "), remedy)))
}

# All of a group: attributes, data sets and groups, as a list. A matrix has rows first, as in the file.
orrery_contents <- function(group) {
  contents <- lapply(hdf5r::h5attributes(group), function(value) if (is.numeric(value)) as.numeric(value) else value)
  for (name in names(group)) {
    item <- group[[name]]
    contents[[name]] <- if (inherits(item, "H5Group")) orrery_contents(item) else orrery_values(item)
    item$close()
  }
  contents
}

orrery_values <- function(dataset) {
  dims <- dataset$dims
  if (prod(dims) == 0) return(if (inherits(dataset$get_type(), "H5T_STRING")) character() else numeric())
  values <- as.vector(dataset$read())
  if (is.character(values)) Encoding(values) <- "UTF-8" else values <- as.numeric(values)
  if (length(dims) == 2) matrix(values, ncol = dims[1], byrow = TRUE) else values
}

# The program reads the file, and so compares its digests.
orrery_verify <- function(path) {
  if (nzchar(orrery_find())) {
    orrery_run("info", path, quiet = TRUE, echo = FALSE)
  } else {
    warning(path, ": without the program orrery digests are not compared; set the environment ",
            "variable ORRERY to its path")
  }
}

# ------------------------------------------------------------------------------------------ samples

# The samples of a file.
#   as = "data.frame": columns are logical (bits), numeric or factors; names of rows are row names
#   as = "matrix": integer 0 and 1, numeric, or character
# Missing values are NA. Raises orrery_error if the file is not orrery's, holds no samples, or is damaged.
orrery_read_samples <- function(path, as = c("data.frame", "matrix")) {
  as <- match.arg(as)
  found <- orrery_with_file(path, function(file) {
    kind <- orrery_group(file, path, "orrery_read_samples")
    group <- file[[kind]]
    wanted <- intersect(c("names", "row_names", "n_categories", "category"), names(group))
    c(list(kind = kind), sapply(wanted, function(name) orrery_values(group[[name]]), simplify = FALSE))
  })
  values <- if (found$kind == "categorical") orrery_exported_words(path) else orrery_exported_npy(path)
  dimnames(values) <- list(found$row_names, found$names)
  if (as == "matrix") return(values)
  if (found$kind == "samples") mode(values) <- "logical"
  frame <- as.data.frame(values, optional = TRUE)
  if (found$kind == "categorical") {
    levels <- split(found$category, rep(seq_along(found$names), found$n_categories))
    frame[] <- Map(factor, frame, levels = levels)
  }
  frame
}

# Bits as integers, numbers as doubles.
orrery_exported_npy <- function(path) {
  target <- tempfile(fileext = ".npy")
  on.exit(unlink(target))
  orrery_run("export", path, rows = TRUE, format = "npy", output = target, quiet = TRUE, echo = FALSE)
  file <- file(target, "rb")
  on.exit(close(file), add = TRUE)
  readBin(file, "raw", 8)
  length <- readBin(file, "integer", size = 2, signed = FALSE, endian = "little")
  header <- rawToChar(readBin(file, "raw", length))
  shape <- as.numeric(strsplit(sub(".*'shape': \\(([^)]*)\\).*", "\\1", header), ",")[[1]])
  values <- if (grepl("f8", header)) readBin(file, "double", prod(shape), endian = "little")
            else readBin(file, "integer", prod(shape), size = 1, signed = TRUE)
  values[if (is.integer(values)) values < 0 else is.nan(values)] <- NA
  matrix(values, nrow = shape[1], ncol = shape[2], byrow = TRUE)
}

orrery_exported_words <- function(path) {
  text <- orrery_run("export", path, rows = TRUE, format = "csv", output = "-", quiet = TRUE, echo = FALSE)
  table <- utils::read.csv(text = text, colClasses = "character", na.strings = "",
                           check.names = FALSE, encoding = "UTF-8")
  if (names(table)[1] == "") table <- table[-1]
  as.matrix(table)
}

# Writes rows as a file of samples that every command of orrery reads. Returns the path.
#   table      a data frame (logical, numeric; factors and character for categories), a matrix, or a
#              sparse matrix of the package Matrix; row names of one's own are kept
#   kind       "binary", "numeric" or "categorical"; NULL: bits if all values are 0, 1, TRUE, FALSE or
#              missing, numbers if one has a fraction, categories if all columns are factors or words
# NA is missing. Raises orrery_error if the program refuses the table, an error if it is of no kind.
orrery_write_samples <- function(path, table, kind = NULL) {
  if (isS4(table)) table <- as.matrix(table)
  automatic <- if (is.data.frame(table)) .row_names_info(table) < 0 else is.null(rownames(table))
  rows <- if (automatic) NULL else rownames(table)
  if (is.null(colnames(table))) colnames(table) <- paste0("x", seq_len(ncol(table)) - 1)
  table <- as.data.frame(table, optional = TRUE, stringsAsFactors = FALSE)
  kind <- match.arg(if (is.null(kind)) orrery_kind(table) else kind, c("binary", "numeric", "categorical"))
  scratch <- tempfile("orrery-table-")
  dir.create(scratch)
  on.exit(unlink(scratch, recursive = TRUE))
  source <- file.path(scratch, "table.csv")
  lists <- NULL
  quoted <- function(words) ifelse(is.na(words), "", paste0('"', gsub('"', '""', enc2utf8(words)), '"'))
  if (kind == "categorical") {
    table[] <- lapply(table, function(column) if (is.factor(column)) column else factor(column))
    lists <- file.path(scratch, "categories.csv")
    words <- Map(c, names(table), lapply(table, levels))
    writeLines(vapply(words, function(w) paste(quoted(w), collapse = ","), ""), lists, useBytes = TRUE)
    cells <- lapply(table, function(column) quoted(as.character(column)))
  } else {
    cells <- lapply(table, function(column) {
      ifelse(is.na(column), "", formatC(as.numeric(column), digits = 17, format = "g", width = 1))
    })
  }
  if (!is.null(rows)) cells <- c(list(quoted(rows)), cells)
  header <- paste(c(if (!is.null(rows)) "", quoted(names(table))), collapse = ",")
  writeLines(c(header, do.call(paste, c(unname(cells), sep = ","))), source, useBytes = TRUE)
  orrery_run("import", source, output = path, format = "csv", header = "yes", delimiter = ",",
             numeric = kind == "numeric", categorical = kind == "categorical", categories = lists,
             index = if (is.null(rows)) "none", quiet = TRUE, echo = FALSE)
  invisible(path)
}

orrery_kind <- function(table) {
  words <- vapply(table, function(column) is.factor(column) || is.character(column), NA)
  if (all(words)) return("categorical")
  if (any(words)) {
    stop(sprintf(paste("column '%s' holds categories and column '%s' numbers, and a file holds one kind;",
                       "choose columns, or give kind = \"categorical\""),
                 names(table)[words][1], names(table)[!words][1]))
  }
  values <- unlist(lapply(table, function(column) unique(as.numeric(column))))
  values <- values[!is.na(values)]
  if (all(values %in% c(0, 1))) return("binary")
  if (any(values != floor(values))) return("numeric")
  stop(sprintf(paste("%g is neither 0 nor 1, but all values are whole numbers: say what they are with",
                     "kind = \"numeric\" (counts) or \"categorical\" (codes)"),
               values[!values %in% c(0, 1)][1]))
}

# ------------------------------------------------------------------------------------------- models

# The model of a file, or the true network beside samples that `orrery sample` drew: a list with
#   family ("noisy-OR", "sign tree", "linear", "categorical"), learner ("": not learned), n_samples,
#   data_digest, remarks, edges (a data frame), and
#   noisy-OR     causes (name, prior; prior_error, stability), observed (name, leak; leak_error),
#                edges (cause, observed, failure, strength; failure_error, stability), provenance,
#                cause_tables (a list for each cause: parents, on), anchors (a data frame), moments
#   sign tree    variables (name, mean), edges (a, b, moment; moment_error), crossover, crossover_error
#   linear       observed (name, mean, noise; noise_error), causes (their names), loadings (value;
#                estimate, error: a row per variable), edges (cause, observed, loading; error), law,
#                covariance, coupling, innovation, levels, rank_test
#   categorical  causes (a list of named priors), observed (for each variable categories, parents,
#                table, counts: a row per state of the parents, that of the first changes fastest),
#                edges (cause, observed), structure, modes, choices, log_evidence, evidence_kind
# What is not known is absent; NaN: a standard error that is not known. Raises orrery_error if the file
# is not orrery's, holds no model, or is damaged.
orrery_read_model <- function(path) {
  readers <- list(model = orrery_noisy_or, anchored = orrery_noisy_or, tree = orrery_sign_tree,
                  linear = orrery_linear, categorical_network = orrery_categorical)
  found <- orrery_with_file(path, function(file) {
    name <- orrery_group(file, path, "orrery_read_model")
    orrery_verify(path)
    list(name = name, contents = orrery_contents(file[[name]]))
  })
  contents <- found$contents
  origin <- list(learner = if (is.null(contents$learner)) "" else contents$learner,
                 n_samples = if (is.null(contents$n_samples)) 0 else contents$n_samples,
                 data_digest = if (!identical(contents$data_digest, strrep("0", 16))) contents$data_digest,
                 remarks = contents$remarks)
  c(readers[[found$name]](contents), origin)
}

# Those of a list of columns that are there, as a data frame.
orrery_frame <- function(...) {
  columns <- Filter(Negate(is.null), list(...))
  as.data.frame(columns, stringsAsFactors = FALSE, optional = TRUE)
}

# Values that are stored one list after another, as a list of n.
orrery_split <- function(values, lengths) {
  unname(split(values, factor(rep(seq_along(lengths), lengths), levels = seq_along(lengths))))
}

orrery_noisy_or <- function(m) {
  causes <- m$causes$name
  observed <- m$observed$name
  edges <- orrery_frame(cause = causes[m$edges$cause + 1], observed = observed[m$edges$observed + 1],
                        failure = m$edges$failure, strength = 1 - m$edges$failure,
                        failure_error = m$edges$failure_error, stability = m$stability$edge)
  tables <- if (!is.null(m$cause_tables)) {
    parents <- orrery_split(m$cause_tables$parent, m$cause_tables$n_parents)
    on <- orrery_split(m$cause_tables$on, 2^m$cause_tables$n_parents)
    stats::setNames(Map(function(p, values) list(parents = causes[p + 1], on = values), parents, on), causes)
  }
  anchors <- if (!is.null(m$anchors)) {
    columns <- orrery_split(m$anchors$column, m$anchors$n_columns)
    orrery_frame(cause = causes[m$anchors$cause + 1], observed = observed[m$anchors$observed + 1],
                 columns = vapply(columns, paste, "", collapse = ";"), off = m$anchors$off, on = m$anchors$on,
                 off_error = m$anchors$off_error, on_error = m$anchors$on_error, source = m$anchors$source)
  }
  list(family = "noisy-OR",
       causes = orrery_frame(name = causes, prior = m$causes$prior, prior_error = m$causes$prior_error,
                             stability = m$stability$cause),
       observed = orrery_frame(name = observed, leak = m$observed$leak, leak_error = m$observed$leak_error),
       edges = edges, provenance = m$provenance, cause_tables = tables, anchors = anchors,
       moments = m$moments, resamples = m$stability$resamples)
}

orrery_sign_tree <- function(m) {
  names <- m$variables$name
  list(family = "sign tree", variables = orrery_frame(name = names, mean = m$variables$mean),
       edges = orrery_frame(a = names[m$edges$a + 1], b = names[m$edges$b + 1], moment = m$edges$moment,
                            moment_error = m$edges$moment_error),
       crossover = m$crossover, crossover_error = m$crossover_error)
}

orrery_linear <- function(m) {
  place <- which(m$loadings$value != 0, arr.ind = TRUE)
  edges <- orrery_frame(cause = m$causes$name[place[, 2]], observed = m$observed$name[place[, 1]],
                        loading = m$loadings$value[place],
                        loading_error = if (!is.null(m$loadings$error)) m$loadings$error[place])
  list(family = "linear", law = m$law,
       observed = orrery_frame(name = m$observed$name, mean = m$observed$mean, noise = m$observed$noise,
                               noise_error = m$observed$noise_error),
       causes = m$causes$name, loadings = m$loadings, edges = edges,
       covariance = m$causes$covariance, covariance_error = m$causes$covariance_error,
       coupling = m$causes$coupling, coupling_error = m$causes$coupling_error,
       innovation = m$causes$innovation, levels = unname(m$levels[order(as.integer(names(m$levels)))]),
       rank_test = if (!is.null(m$rank_test)) do.call(orrery_frame, m$rank_test))
}

orrery_categorical <- function(m) {
  causes <- m$causes$name
  priors <- stats::setNames(orrery_split(m$causes$prior, m$causes$cardinality), causes)
  parents <- orrery_split(m$observed$parent, m$observed$n_parents)
  categories <- orrery_split(m$observed$category, m$observed$n_categories)
  n_states <- vapply(parents, function(p) prod(m$causes$cardinality[p + 1]), 0)
  tables <- function(values) {
    if (is.null(values)) return(vector("list", length(parents)))
    Map(function(v, words) matrix(v, ncol = length(words), byrow = TRUE, dimnames = list(NULL, words)),
        orrery_split(values, n_states * lengths(categories)), categories)
  }
  observed <- Map(function(p, words, table, counts) {
    list(categories = words, parents = causes[p + 1], table = table, counts = counts)
  }, parents, categories, tables(m$observed$table), tables(m$observed$counts))
  sets <- if (!is.null(m$structure)) orrery_split(m$structure$parent, m$structure$n_parents)
  list(family = "categorical", causes = priors, observed = stats::setNames(observed, m$observed$name),
       edges = data.frame(cause = causes[unlist(parents) + 1],
                          observed = rep(m$observed$name, lengths(parents))),
       structure = if (!is.null(sets)) {
         list(parents = lapply(sets, function(p) causes[p + 1]), probability = m$structure$probability)
       },
       modes = m$modes, choices = if (!is.null(m$choices)) do.call(orrery_frame, m$choices),
       log_evidence = if (nzchar(m$evidence_kind)) m$log_evidence, evidence_kind = m$evidence_kind)
}

# --------------------------------------------------------------------------------------- posteriors

# Answers of `orrery infer` of N rows: a list with
#   probability     N x causes: P(cause | row); 0 where the cause is less likely than min_posterior, NaN
#                   in impossible rows. Of a tree, N x variables: P(hidden sign is +1 | given values)
#   log_evidence    N, nats; -Inf: impossible. log_evidence_error, effective_samples; 0: exact
#   method          N: "exact", "sampled" or "impossible"
#   explanations    data frame: row (from 1), causes, probability, proven: the most probable states of
#                   all causes of each row, the most probable first; absent with --top 0
#   min_posterior, data_digest; of a tree given, crossover
# Raises orrery_error if the file is not orrery's, holds no answers, or is cut off; no digest is compared.
orrery_read_posterior <- function(path) {
  found <- orrery_with_file(path, function(file) {
    name <- orrery_group(file, path, "orrery_read_posterior")
    c(list(group = name), orrery_contents(file[[name]]))
  })
  if (found$group == "prediction") {
    probability <- matrix(found$probability, ncol = length(found$variables), byrow = TRUE,
                          dimnames = list(NULL, found$variables))
    return(c(list(probability = probability),
             found[c("log_evidence", "given", "crossover", "data_digest")]))
  }
  n <- found$n_samples
  method <- c("exact", "sampled", "impossible")[found$method + 1]
  probability <- matrix(0, n, length(found$causes), dimnames = list(NULL, found$causes))
  probability[method == "impossible", ] <- NaN
  probability[cbind(rep(seq_len(n), diff(c(0, found$end))), found$cause + 1)] <- found$probability
  list(probability = probability, log_evidence = found$log_evidence,
       log_evidence_error = found$log_evidence_error, method = method,
       effective_samples = found$effective_samples, explanations = orrery_explanations(found),
       min_posterior = found$min_posterior, data_digest = found$data_digest)
}

orrery_explanations <- function(found) {
  stored <- found$explanations
  if (is.null(stored)) return(NULL)
  present <- orrery_split(found$causes[stored$cause + 1], diff(c(0, stored$end)))
  table <- data.frame(row = rep(seq_len(found$n_samples), each = found$top),
                      causes = vapply(present, paste, "", collapse = "; "),
                      probability = exp(stored$log_probability), proven = stored$proven == 1)
  table[!is.nan(stored$log_probability), ]
}
