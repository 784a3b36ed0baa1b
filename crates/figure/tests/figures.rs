//! Figures are whole documents of SVG, say what a user wrote as text, and are the same each time.

use vorrang_figure::{
    Axis, Bar, Bars, Chart, Figure, Level, Look, Mark, Part, Range, Ranges, Row, Rule, Schedule,
    Series, Shape, Sign, Slice, Span, Stretch, Table, Use,
};

const NASTY: &str = "<script>alert(\"1\")</script> & '\u{1}";

fn chart() -> Figure {
    let points = |shape, factor: f64| {
        let points = (0..20).map(|x| (f64::from(x), f64::from(x) * factor)).collect();
        Series::new(NASTY, shape, points)
    };
    let chart =
        Chart::new(NASTY, NASTY, Axis::linear(NASTY, "ms"), Axis::logarithmic("share", NASTY))
            .described(NASTY)
            .with(points(Shape::Line, 1.0))
            .with(points(Shape::Steps, 2.0))
            .with(points(Shape::LineWithPoints, 3.0))
            .with(points(Shape::Points, 4.0).look(Look::Published))
            .with(points(Shape::Bins, 5.0).look(Look::Faint))
            .rule(Rule::At(3.0, NASTY.to_owned(), Look::Nth(1)))
            .rule(Rule::Level(40.0, NASTY.to_owned(), Look::Nth(2)))
            .spot((7.0, 9.0), NASTY);
    chart.into()
}

fn schedule() -> Figure {
    let tip = || NASTY.to_owned();
    let uses = [Use::Runs, Use::Waits, Use::Supplies, Use::Idles, Use::Serves, Use::Overhead];
    let signs = [
        Sign::Arrival,
        Sign::Completion,
        Sign::Deadline,
        Sign::Miss,
        Sign::Replenishment,
        Sign::Request,
    ];
    let slices = (0..).zip(uses).map(|(at, of)| Slice {
        from: at * 1000,
        to: at * 1000 + 900,
        of,
        tip: tip(),
    });
    let marks = (0..).zip(signs).map(|(at, sign)| Mark { at: at * 1000, sign, tip: tip() });
    let level =
        Level { name: tip(), most: 10, points: vec![(0, 10), (5000, 2), (5000, 10), (6000, 9)] };
    let (slices, marks) = (slices.collect(), marks.collect());
    let row = Row { name: tip(), depth: 1, slices, marks, level: Some(level) };
    let mut schedule = Schedule::new(NASTY, NASTY, (0, 10_000)).described(NASTY).with(row);
    schedule.spans.push(Span { from: 1000, to: 4000, label: tip() });
    schedule.into()
}

fn ranges() -> Figure {
    let kinds = [0, 5, 1].map(|look| (look, NASTY.to_owned())).to_vec();
    let ends = [(1.0, 3.0), (4.0, 3.0), (9.0, 9.0), (0.0, f64::INFINITY)];
    let stretches = (0..3).chain([0]).zip(ends).map(|(of, ends)| Stretch { of, ends });
    let range = Range { name: NASTY.to_owned(), stretches: stretches.collect() };
    let row = vec![NASTY.to_owned(); 2];
    let numbers = Table { head: vec![String::new(), NASTY.to_owned()], rows: vec![row] };
    let axis = Axis::logarithmic("times what it is now", "");
    let rule = Some((1.0, NASTY.to_owned()));
    let (name, title, description) = (NASTY.into(), NASTY.into(), NASTY.into());
    let ranges = vec![range];
    Ranges { name, title, description, axis, kinds, ranges, rule, numbers, width: 680.0 }.into()
}

fn bars() -> Figure {
    let mut bars = Bars::new(NASTY, NASTY, Axis::linear("share", "%")).described(NASTY);
    bars.parts = (0..7).map(|_| NASTY.to_owned()).collect();
    let parts = (0..7).map(|of| Part { of, value: 10.0 }).collect();
    bars.bars.push(Bar { name: NASTY.to_owned(), parts });
    bars.rule = Some((100.0, NASTY.to_owned()));
    bars.into()
}

fn all() -> [Figure; 4] {
    [chart(), schedule(), bars(), ranges()]
}

#[test]
fn each_is_a_document_with_a_name_and_a_description() {
    for figure in all() {
        let svg = figure.svg();
        let document =
            roxmltree::Document::parse(&svg).unwrap_or_else(|bad| panic!("{bad}\n{svg}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        assert_eq!(root.attribute("role"), Some("img"));
        // What no XML may have is replaced; all else is there to be read.
        let read = NASTY.replace('\u{1}', "\u{fffd}");
        assert_eq!(root.attribute("aria-label"), Some(read.as_str()));
        let desc =
            root.children().find(|of| of.has_tag_name(("http://www.w3.org/2000/svg", "desc")));
        assert_eq!(desc.and_then(|of| of.text()), Some(read.as_str()));
        let style = root.descendants().filter(|of| of.tag_name().name() == "style").count();
        assert_eq!(style, 1, "a file has its own style sheet");
    }
}

#[test]
fn nothing_that_a_user_wrote_is_markup() {
    for figure in all() {
        for text in [figure.svg(), figure.inline(), figure.html(), figure.table().html()] {
            assert!(!text.contains("<script"), "{text}");
            assert!(!text.contains("alert(\""), "{text}");
        }
        let svg = figure.svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(document.descendants().all(|of| of.tag_name().name() != "script"));
    }
}

#[test]
fn places_are_numbers_and_the_same_each_time() {
    for (one, other) in all().into_iter().zip(all()) {
        let svg = one.svg();
        assert_eq!(svg, other.svg());
        for wrong in ["NaN", "inf"] {
            assert!(!svg.contains(wrong), "{wrong} in {svg}");
        }
    }
}

#[test]
fn an_inline_figure_leaves_the_style_to_its_page() {
    for figure in all() {
        assert!(!figure.inline().contains("<style"));
        // A content security policy without inline styles holds.
        assert!(!figure.inline().contains(" style=\""));
    }
}

#[test]
fn every_number_of_a_chart_is_in_its_table() {
    let table = chart().table();
    assert_eq!(table.head[1], format!("{NASTY} [ms]"));
    assert_eq!(table.rows.len(), 5 * 20 + 2 + 1);
    assert!(table.rows.iter().any(|row| row[1] == "7" && row[2] == "9"));
}

#[test]
fn slices_and_signs_have_their_times_for_scripts() {
    let svg = schedule().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let root = document.root_element();
    assert_eq!(
        (root.attribute("data-from"), root.attribute("data-to")),
        (Some("0"), Some("10000"))
    );
    let slices = document.descendants().filter(|of| of.attribute("data-f").is_some()).count();
    let signs = document.descendants().filter(|of| of.attribute("data-t").is_some()).count();
    let levels = document.descendants().filter(|of| of.attribute("data-p").is_some()).count();
    assert_eq!((slices, signs, levels), (6 + 1, 6, 1));
}

#[test]
fn charts_without_points_and_values_without_a_place_are_drawn() {
    let axis = || Axis::logarithmic("x", "");
    let empty: Figure = Chart::new("empty", "empty", axis(), axis()).into();
    assert!(roxmltree::Document::parse(&empty.svg()).is_ok());
    let points = vec![(0.0, 0.0), (-1.0, f64::NAN), (1.0, 1.0), (f64::INFINITY, 2.0)];
    for shape in [Shape::Line, Shape::Steps, Shape::Points, Shape::Bins] {
        let series = Series::new("odd", shape, points.clone());
        let chart: Figure = Chart::new("odd", "odd", axis(), axis()).with(series).into();
        let svg = chart.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
