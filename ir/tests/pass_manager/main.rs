//! The pass manager: pipeline strings, scheduling, analyses, reports.

mod options;
mod pipelines;
mod running;
mod support;
