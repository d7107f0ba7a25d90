//! The command line as its users meet it: every case is a file in `cmd`.
//!
//! `*.trycmd` hold commands with what they print (standard error included) and, after `?`, the exit status where it is
//! not 0; the folder of the same name with `.in` is where they run. `*.toml` are single commands whose standard input,
//! output and error are files of their own. `TRYCMD=overwrite` writes what is printed now; read the difference before
//! committing it.

#[test]
fn commands_print_what_the_files_say() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").env("COLUMNS", "100");
}
