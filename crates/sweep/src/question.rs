//! What is asked of a sample.

/// A question, and as what the sample is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The column of the answers.
    pub name: String,
    /// What is asked.
    pub question: Question,
    /// Another scheduler of the core.
    pub scheduler: Option<String>,
    /// Another kind of server.
    pub server: Option<String>,
    /// Whether the machine takes time for itself.
    pub costs: bool,
    /// Whether a pseudo-VCPU pays for a guest's routines, where that is not as drawn.
    pub pseudo_vcpu: Option<bool>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether an analysis proves that all tasks meet their deadlines, and that all servers receive their
    /// budgets. None where the description is refused, or has no design.
    Accepted(Analysis),
    /// Whether the simulator finds a history in which one does not.
    Refuted(Trials),
    /// The largest bound of a task over the longest response that the simulator finds, in millionths;
    /// none where a task has no bound. A job that is incomplete when its history ends has a response of at
    /// least its time so far, which counts.
    Tightness(Trials),
    /// What the servers reserve by the cheapest design that is found, in millionths of the core; none
    /// where there is no design.
    Reserved {
        /// The most analyses.
        steps: u64,
    },
}

/// How far the simulator looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trials {
    /// Steps of the simulator.
    pub steps: u64,
    /// Random histories, beside the directed ones and those that climb from the worst.
    pub histories: u32,
}

/// By what a sample is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// The bounds of `vorrang check`.
    Bounds,
    /// Liu and Layland 1973.
    LiuLayland,
    /// Bini, Buttazzo, Buttazzo 2003.
    Hyperbolic,
}

impl Ask {
    /// Its column: the name with its unit.
    pub fn column(&self) -> String {
        let name = self.name.replace('-', "_");
        if self.is_yes_no() { name } else { name + "_ppm" }
    }

    /// The column that says why there is no answer, of questions that may have none.
    pub fn reasons(&self) -> Option<String> {
        match self.question {
            Question::Accepted(Analysis::LiuLayland | Analysis::Hyperbolic) => None,
            _ => Some(self.name.replace('-', "_") + "_reason"),
        }
    }

    /// Whether the answer is yes or no; otherwise it is a number, or none.
    pub fn is_yes_no(&self) -> bool {
        matches!(self.question, Question::Accepted(_) | Question::Refuted(_))
    }
}
