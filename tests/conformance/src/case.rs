use convoy_value::json::{self, Kind, Node};

/// One case: a JSON object with typed access to its members.
pub struct Case(Node);

impl Case {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// The line is no JSON.
    pub fn parse(text: &str) -> Result<Case, json::Error> {
        json::parse(text).map(Case)
    }

    /// The member of a name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.0.get(key)
    }

    /// The member, if it is a text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(text)
    }

    /// The texts of a list.
    pub fn texts(&self, key: &str) -> Vec<&str> {
        match self.get(key).map(|node| &node.kind) {
            Some(Kind::Array(items)) => items.iter().filter_map(text).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the member is `true`.
    pub fn is_set(&self, key: &str) -> bool {
        self.get(key).is_some_and(|node| node.kind == Kind::Bool(true))
    }

    /// The objects of a list as cases of their own.
    pub fn objects(&self, key: &str) -> Vec<Case> {
        match self.get(key).map(|node| &node.kind) {
            Some(Kind::Array(items)) => items.iter().cloned().map(Case).collect(),
            _ => Vec::new(),
        }
    }

    /// The member as a case of its own, if it is an object.
    pub fn object(&self, key: &str) -> Option<Case> {
        let node = self.get(key)?;
        matches!(node.kind, Kind::Object(_)).then(|| Case(node.clone()))
    }
}

fn text(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::String(text) => Some(text),
        _ => None,
    }
}
