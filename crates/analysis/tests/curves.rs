//! What is drawn of a bound says the same as the bound.

use std::fs;
use std::path::Path;
use vorrang_analysis::{Curves, bounds, curves};
use vorrang_model::{Format, System};
use vorrang_time::Duration;

/// The value of steps in a window.
fn step(points: &[(Duration, Duration)], window: Duration) -> Duration {
    points.iter().rfind(|(at, _)| *at < window).expect("a demand begins at zero").1
}

fn check(name: &str, curves: &Curves) {
    let (window, work) = curves.decides;
    let grows = |points: &[(Duration, Duration)]| {
        points.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1)
    };
    assert!(grows(&curves.supply) && grows(&curves.demand), "{name}: {curves:?}");
    assert_eq!(step(&curves.demand, window), work, "{name}: the demand in the window that decides");
    let provided = curves.supply.iter().filter(|(at, _)| *at <= window).map(|(_, of)| *of).max();
    assert!(provided.unwrap() >= work, "{name}: the supply is not below the demand there");
    // Before it the supply is below the demand at each of its corners.
    for &(at, provided) in curves.supply.iter().filter(|(at, _)| !at.is_zero() && *at < window) {
        assert!(provided < step(&curves.demand, at), "{name}: {at}: {curves:?}");
    }
    assert!(curves.supply.last().unwrap().0 > window, "{name}: the picture goes on behind it");
}

fn system(path: &Path) -> Option<System> {
    let text = path.is_file().then(|| fs::read(path).unwrap())?;
    vorrang_model::read(text, Format::Toml).ok()
}

#[test]
fn curves_of_every_example_decide_where_its_bounds_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut drawn, mut bounded) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(system) = system(&path) else { continue };
        let found = bounds(&system);
        let kinds: Vec<_> = system.requirements.iter().map(|of| of.kind).collect();
        for (requirement, curves) in system.requirements.iter().zip(curves(&system, &kinds)) {
            let bound = found.requirement(requirement).bound();
            bounded += usize::from(bound.is_some());
            let Some(curves) = curves else { continue };
            drawn += 1;
            assert_eq!(Some(curves.bound), bound, "{}", requirement.name);
            check(&format!("{} {}", path.display(), requirement.name), &curves);
        }
    }
    println!("{drawn} of {bounded} bounds are drawn");
    assert!(drawn * 10 >= bounded * 8, "{drawn} of {bounded}");
}
