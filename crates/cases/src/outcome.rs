//! What a case says when it has run.

use slabscope_core::locks::Spec;

use crate::{Case, Row};

/// Points of one series in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is, for the legend.
    pub name: String,
    /// x and y, ascending by x.
    pub points: Vec<(f64, f64)>,
    /// True for published figures: to be drawn as points that others measured.
    pub published: bool,
}

/// Something worth a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: &'static str,
    /// The x axis, with its unit.
    pub x: &'static str,
    /// True if x grows by factors.
    pub x_by_factors: bool,
    /// The y axis, with its unit.
    pub y: &'static str,
    /// The series.
    pub lines: Vec<Line>,
}

/// One step of the explanation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// A few words.
    pub title: &'static str,
    /// What is seen, and why, with the numbers of this run.
    pub text: String,
    /// The figures.
    pub rows: Vec<Row>,
    /// Pictures of them.
    pub plots: Vec<Plot>,
}

/// What a case says.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// What was found, in one or two sentences made from the numbers.
    pub finding: String,
    /// How, step by step.
    pub steps: Vec<Step>,
    /// What to simulate to see threads wait, by name; empty where there are no locks in the case.
    pub lanes: Vec<(String, Spec)>,
}

impl Outcome {
    /// The rows of all steps.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.steps.iter().flat_map(|step| &step.rows)
    }

    /// The single runs of every row that is a mean, as rows of their own.
    pub fn single_runs(&self) -> impl Iterator<Item = Row> {
        self.rows().flat_map(Row::single_runs)
    }

    /// The row of this name and metric.
    pub fn row(&self, row: &str, metric: &str) -> Option<&Row> {
        self.rows().find(|found| found.row == row && found.metric == metric)
    }
}
