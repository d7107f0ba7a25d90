//! Running programs: what they print passes through, their closing lines are kept.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::paths;

/// Prints a line of our own.
pub(crate) fn say(line: &str) {
    // A closed standard output is no reason to stop a build.
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A program that runs in the checkout with the project's tools on its path.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(paths::root()).env("PATH", paths::path_with_tools()?);
    Ok(command)
}

/// Cargo, the one that runs this.
pub(crate) fn cargo(arguments: &[&str]) -> Result<Command> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    command(&cargo, arguments)
}

/// Runs a command to its end.
///
/// # Errors
/// It cannot be started or fails.
pub(crate) fn run(mut command: Command) -> Result<()> {
    let shown = shown(&command);
    say(&format!("$ {shown}"));
    let status = command.status().with_context(|| format!("{shown}: cannot be started"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// Runs a command to its end and returns the lines that say how its tests ended.
///
/// # Errors
/// It cannot be started or fails.
pub(crate) fn run_tests(command: Command) -> Result<Vec<String>> {
    run_keeping(command, |line| line.starts_with("test result:"))
}

/// Runs a command to its end and returns the lines that are wanted; all of them pass through.
///
/// # Errors
/// It cannot be started or fails.
pub(crate) fn run_keeping(mut command: Command, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let shown = shown(&command);
    say(&format!("$ {shown}"));
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("{shown}: cannot be started"))?;
    let mut kept = Vec::new();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            if wanted(&line) {
                kept.push(line.clone());
            }
            say(&line);
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(kept)
}

/// What a program prints, if it can be run and succeeds.
pub(crate) fn output_of(program: &std::path::Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    command.get_args().fold(name, |line, argument| line + " " + &argument.to_string_lossy())
}
