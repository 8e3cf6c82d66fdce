//! More overloads for a function.

use crate::function::{Function, Overload};

/// A function whose overloads do not collide with each other.
pub(super) fn new(function: Function) -> Result<Function, String> {
    let mut checked = Function { overloads: Vec::with_capacity(function.overloads.len()), ..function };
    for overload in function.overloads {
        add_overload(&mut checked, overload)?;
    }
    Ok(checked)
}

/// A function with the overloads of another one of the same name.
pub(super) fn merge(present: &Function, added: Function) -> Result<Function, String> {
    let mut merged = present.clone();
    merged.unguarded = present.unguarded && added.unguarded;
    merged.undeclared = present.undeclared || added.undeclared;
    merged.validator = present.validator.or(added.validator);
    for overload in added.overloads {
        add_overload(&mut merged, overload)
            .map_err(|error| format!("function declaration merge failed: {error}"))?;
    }
    if let Some(singleton) = added.singleton {
        // Adding the same library twice is no conflict.
        let same = |other: &crate::function::Singleton| {
            other.binding.shape == singleton.binding.shape
                && std::ptr::fn_addr_eq(other.binding.call, singleton.binding.call)
        };
        if merged.singleton.as_ref().is_some_and(|other| !same(other)) {
            return Err(format!("function already has a singleton binding: {}", merged.name));
        }
        merged.singleton = Some(singleton);
    }
    Ok(merged)
}

fn add_overload(function: &mut Function, added: Overload) -> Result<(), String> {
    for present in &mut function.overloads {
        if present.id != added.id {
            if overlap(present, &added) {
                return Err(format!(
                    "overload signature collision in function {}: {} collides with {}",
                    function.name, present.id, added.id
                ));
            }
            continue;
        }
        if !equal_signatures(present, &added) || present.non_strict != added.non_strict {
            return Err(format!(
                "overload redefinition in function. {}: {} has multiple definitions",
                function.name, present.id
            ));
        }
        if added.binding.is_some() {
            *present = added;
        }
        return Ok(());
    }
    function.overloads.push(added);
    Ok(())
}

/// Whether two overloads of one id have the same signature; names of type parameters do not count.
fn equal_signatures(left: &Overload, right: &Overload) -> bool {
    left.member == right.member
        && left.params.len() == right.params.len()
        && left.params.iter().zip(&right.params).all(|(left, right)| left.is_equivalent(right))
        && left.result.is_equivalent(&right.result)
}

/// Whether the same arguments could fit both overloads.
fn overlap(left: &Overload, right: &Overload) -> bool {
    left.member == right.member
        && left.params.len() == right.params.len()
        && left
            .params
            .iter()
            .zip(&right.params)
            .all(|(left, right)| left.is_assignable(right) || right.is_assignable(left))
}

#[cfg(test)]
mod tests {
    use super::super::Env;
    use super::*;
    use crate::types::Type;

    fn function(overloads: impl IntoIterator<Item = Overload>) -> Function {
        let mut function = Function::new("test", "f", "");
        function.overloads.extend(overloads);
        function
    }

    #[test]
    fn overloads_of_one_name_come_together() {
        let mut env = Env::new();
        env.add_function(function([Overload::global("f_int", [Type::Int], Type::Int)])).unwrap();
        env.add_function(function([Overload::member("int_f", [Type::Int], Type::Int)])).unwrap();
        env.add_function(function([Overload::global("f_list", [Type::list(Type::param("T"))], Type::Int)]))
            .unwrap();
        // The name of a type parameter makes no difference.
        env.add_function(function([Overload::global("f_list", [Type::list(Type::param("U"))], Type::Int)]))
            .unwrap();
        let ids: Vec<&str> =
            env.function("f").unwrap().overloads.iter().map(|overload| &*overload.id).collect();
        assert_eq!(ids, ["f_int", "int_f", "f_list"]);
    }

    // The texts are those of `decls.NewFunction` and `Merge`.
    #[test]
    fn collisions_are_errors() {
        let mut env = Env::new();
        env.add_function(function([Overload::global("f_list", [Type::list(Type::Dyn)], Type::Int)])).unwrap();
        assert_eq!(
            env.add_function(function([Overload::global("f_strings", [Type::list(Type::String)], Type::Int)])),
            Err("function declaration merge failed: overload signature collision in function f: f_list collides with f_strings"
                .to_owned())
        );
        assert_eq!(
            env.add_function(function([Overload::global("f_list", [Type::list(Type::Dyn)], Type::String)])),
            Err("function declaration merge failed: overload redefinition in function. f: f_list has multiple definitions"
                .to_owned())
        );
        assert_eq!(env.function("f").unwrap().overloads.len(), 1);
    }
}
