//! The explanation for a person, on a plain screen: the decision and every line to change first,
//! then everything behind it. Text of others is escaped.

use std::fmt::{self, Write as _};

use super::{Change, Goal, Outcome, Place, RuleAnswer, RuleTold, Step, Why};
use crate::text::one_line;

/// Nothing on a line is longer, in characters.
const LONGEST: usize = 300;

fn shown(text: &str) -> String {
    one_line(text, LONGEST)
}

fn at(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| {
        format!(" ({}:{})", shown(&place.path), place.line)
    })
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decision(f)?;
        self.change(f)?;
        self.asked(f)?;
        self.ceilings(f)?;
        self.rules(f)?;
        self.facts(f)
    }
}

impl Why {
    fn decision(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who: Vec<String> = self.principals.iter().map(|label| shown(label)).collect();
        let who = who.join(", acting for ");
        let (word, tool) = (self.decision.as_str(), shown(&self.tool));
        writeln!(f, "{word}: `{tool}`, called by {who}")?;
        let meaning = match self.decision {
            Outcome::Allow => "the call would run",
            Outcome::Ask => "a person would be asked first",
            Outcome::Deny => "the call would be refused",
            Outcome::Error => {
                "nobody can say, so the call would be refused, whatever any setting says"
            }
            Outcome::InvalidInput => "the call would be refused before anything decides about it",
        };
        writeln!(f, "  {meaning}")?;
        writeln!(
            f,
            "  decided by {}{}",
            shown(&self.decided_by),
            at(self.place.as_ref())
        )?;
        writeln!(f, "  because {}", shown(&self.reason))?;
        if let Some(code) = &self.code {
            writeln!(f, "  the caller sees the code {code}")?;
        }
        for fault in &self.invalid_input {
            writeln!(f, "  the input: {}", shown(fault))?;
        }
        for note in &self.notes {
            writeln!(f, "  note: {}", shown(note))?;
        }
        Ok(())
    }

    fn change(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = match self.goal {
            Goal::Run => "to let the call run",
            Goal::RunUnasked => "to let the call run without asking",
            Goal::Refuse => "to stop the call",
        };
        match self.change.len() {
            1 => writeln!(f, "\n{goal}")?,
            all => writeln!(f, "\n{goal}, all {all} of these")?,
        }
        for (at, Step { obstacle, ways }) in self.change.iter().enumerate() {
            let enough = match ways.len() {
                0 => "; no policy takes that back",
                1 => "",
                _ => "; one of these is enough",
            };
            writeln!(f, "  {}. {}{enough}", at + 1, shown(obstacle))?;
            for Change { place, what } in ways {
                let place = place
                    .as_ref()
                    .map_or_else(String::new, |p| format!("{}:{}: ", shown(&p.path), p.line));
                writeln!(f, "     {place}{}", shown(what))?;
            }
        }
        writeln!(f, "  {}", shown(&self.then))?;
        match &self.instead {
            None => Ok(()),
            Some(Change { what, .. }) => writeln!(f, "  {}", shown(what)),
        }
    }

    fn asked(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.approval {
            None => writeln!(f, "\napproval\n  nobody would be asked"),
            Some(told) => {
                let by: Vec<String> = told.asked_by.iter().map(|rule| shown(rule)).collect();
                writeln!(f, "\napproval\n  asked for by {}", by.join(", "))?;
                writeln!(f, "  of {}", shown(&told.of))
            }
        }
    }

    fn ceilings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nceiling")?;
        for told in &self.ceilings {
            let (who, risk) = (shown(&told.principal), &told.risk);
            match (&told.role, &told.ceiling) {
                (Some(role), Some(ceiling)) => {
                    let place = at(told.place.as_ref());
                    let word = if told.within { "within" } else { "above" };
                    writeln!(
                        f,
                        "  {who}: risk `{risk}` is {word} `{ceiling}` of role `{}`{place}",
                        shown(role)
                    )?;
                }
                _ => writeln!(f, "  {who}: no role knows this principal")?,
            }
        }
        Ok(())
    }

    /// Whether the reason for which a rule cannot be evaluated stands further up.
    fn has_said(&self, told: &RuleTold) -> bool {
        let mut steps = self.change.iter();
        told.answer == RuleAnswer::Error
            && (told.decided || steps.any(|step| step.obstacle.ends_with(&told.why)))
    }

    fn rules(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nrules")?;
        let place = |told: &RuleTold| format!("{}:{}", shown(&told.place.path), told.place.line);
        let width =
            |column: &dyn Fn(&RuleTold) -> usize| self.rules.iter().map(column).max().unwrap_or(0);
        let widths = [
            width(&|told| place(told).chars().count()),
            width(&|told| told.rule.chars().count()),
        ];
        for told in &self.rules {
            let [place_width, id_width] = widths;
            let mut line = String::new();
            write!(
                line,
                "  {:place_width$}  {:id_width$}  {:5}  {:16}",
                place(told),
                shown(&told.rule),
                told.effect,
                told.answer.as_str()
            )?;
            match self.has_said(told) {
                true => line.push_str("  as said above"),
                false => write!(line, "  {}", shown(&told.why))?,
            }
            if told.decided {
                line.push_str("  <- decides");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn facts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nfacts of the contract")?;
        for told in &self.facts {
            let used: Vec<String> = told.used_by.iter().map(|rule| shown(rule)).collect();
            let used = match used.is_empty() {
                true => "nothing".to_owned(),
                false => used.join(", "),
            };
            writeln!(
                f,
                "  {} = {}, used by {used}",
                told.fact,
                shown(&told.value)
            )?;
        }
        Ok(())
    }
}
