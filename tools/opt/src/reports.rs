//! Lists and reports.

use std::fmt::Write;
use std::time::Duration;

use fermata_ir::Context;
use fermata_ir::pass::{OptionInfo, PassInfo, PassRegistry, Statistics, StatisticsDisplay, Timing, TimingDisplay};
use serde::Serialize;
use serde_json::{Value, json};

use crate::arguments::{ReportFormat, StatisticsLayout, TimingLayout};

/// The registered dialects, sorted, as MLIR's tools list them.
pub(crate) fn dialects(context: &Context) -> String {
    let mut names: Vec<&str> = context.registry().dialects().iter().map(|dialect| dialect.namespace()).collect();
    names.sort_unstable();
    format!("Available Dialects: {}\n", names.join(","))
}

/// The passes and pipelines with their options.
pub(crate) fn passes(registry: &PassRegistry, format: ReportFormat) -> String {
    let (passes, pipelines) = (registry.infos(), registry.pipeline_infos());
    match format {
        ReportFormat::Text => {
            let mut out = String::new();
            for (title, infos) in [("Passes", &passes), ("Pipelines", &pipelines)] {
                if !infos.is_empty() {
                    let _ = writeln!(out, "{title}:");
                    infos.iter().for_each(|info| pass_text(info, &mut out));
                }
            }
            out
        }
        ReportFormat::Json => {
            let list = |infos: &[PassInfo]| infos.iter().map(pass_json).collect::<Vec<Value>>();
            pretty(&json!({ "passes": list(&passes), "pipelines": list(&pipelines) }))
        }
    }
}

fn pass_text(info: &PassInfo, out: &mut String) {
    let anchor = info.anchor.map_or(String::new(), |anchor| format!(" (on {anchor})"));
    let _ = writeln!(out, "  {}{anchor}\n      {}", info.name, info.description);
    for option in &info.options {
        let OptionInfo { name, expected, default, help } = option;
        let default = if default.is_empty() { String::new() } else { format!(", by default {default}") };
        let _ = writeln!(out, "      {name}: {help} ({expected}{default})");
    }
}

fn pass_json(info: &PassInfo) -> Value {
    let option = |option: &OptionInfo| {
        json!({
            "name": option.name,
            "type": option.expected,
            "default": option.default,
            "help": option.help,
        })
    };
    json!({
        "name": info.name,
        "description": info.description,
        "anchor": info.anchor,
        "options": info.options.iter().map(option).collect::<Vec<Value>>(),
    })
}

/// Where the time went.
pub(crate) fn timing(timing: &Timing, total: Duration, layout: TimingLayout, format: ReportFormat) -> String {
    match (format, layout) {
        (ReportFormat::Text, TimingLayout::Tree) => timing.text(TimingDisplay::Tree, total),
        (ReportFormat::Text, TimingLayout::List) => timing.text(TimingDisplay::List, total),
        (ReportFormat::Json, _) => pretty(&json!({
            "total_seconds": total.as_secs_f64(),
            "rows": timing_json(timing),
        })),
    }
}

fn timing_json(timing: &Timing) -> Value {
    let rows = timing.rows().iter().map(|row| {
        json!({
            "name": row.name,
            "thread_seconds": row.thread_time.as_secs_f64(),
            "wall_seconds": row.wall_time.as_secs_f64(),
            "parts": timing_json(&row.parts),
        })
    });
    Value::Array(rows.collect())
}

/// What the passes counted.
pub(crate) fn statistics(statistics: &Statistics, layout: StatisticsLayout, format: ReportFormat) -> String {
    match (format, layout) {
        (ReportFormat::Text, StatisticsLayout::Pipeline) => statistics.text(StatisticsDisplay::Pipeline),
        (ReportFormat::Text, StatisticsLayout::List) => statistics.text(StatisticsDisplay::List),
        (ReportFormat::Json, StatisticsLayout::Pipeline) => {
            let rows = statistics
                .in_order()
                .map(|(depth, row)| json!({ "pass": row.pass, "depth": depth, "statistics": row.counters }));
            pretty(&Value::Array(rows.collect()))
        }
        (ReportFormat::Json, StatisticsLayout::List) => {
            let rows = statistics.by_name();
            let rows = rows.iter().map(|row| json!({ "pass": row.pass, "statistics": row.counters }));
            pretty(&Value::Array(rows.collect()))
        }
    }
}

fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("keys are strings, and writing to memory does not fail");
    text.push('\n');
    text
}
