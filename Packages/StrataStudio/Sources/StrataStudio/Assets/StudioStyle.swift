/// How pages look: by light or dark, wide or narrow.
enum StudioStyle {
    static let text = """
        :root {
          color-scheme: light dark;
          --page: #f7f7f5; --paper: #ffffff; --ink: #1d2126; --soft: #5a626d; --rule: #dcdfe3;
          --accent: #0b5fa5; --tint: #e8f1fa; --alert: #9b1c1c; --alert-tint: #fdecec; --ok: #22663a;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #14171b; --paper: #1c2026; --ink: #e7eaee; --soft: #a2abb6; --rule: #343a43;
            --accent: #7db8f2; --tint: #20303f; --alert: #ffb0aa; --alert-tint: #3f2322; --ok: #8fd3a5;
          }
        }
        * { box-sizing: border-box; }
        html { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
        body { margin: 0; background: var(--page); color: var(--ink); }
        a { color: var(--accent); text-underline-offset: 0.25em; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.5rem 1rem; z-index: 2; }
        header { background: var(--paper); border-bottom: 1px solid var(--rule); }
        header nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0.7rem 1.25rem; max-width: 90rem; margin: 0 auto; align-items: baseline; }
        header a { text-decoration: none; padding: 0.2rem 0; }
        header a:hover { text-decoration: underline; }
        .brand { font-weight: 650; color: var(--ink); margin-right: 0.75rem; }
        main { max-width: 90rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
        main:focus { outline: none; }
        .trail ol { list-style: none; display: flex; flex-wrap: wrap; margin: 0; padding: 0; font-size: 0.875rem; color: var(--soft); }
        .trail li + li::before { content: "/"; margin: 0 0.5rem; color: var(--soft); }
        .title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.4rem 0 0.6rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 1.6rem 0 0.5rem; }
        .live { font-size: 0.85rem; color: var(--ok); margin: 0; }
        .hint { color: var(--soft); margin: 0.2rem 0 0.8rem; font-size: 0.925rem; max-width: 60rem; }
        .card { background: var(--paper); border: 1px solid var(--rule); border-radius: 10px; padding: 0.9rem 1.1rem; margin: 0.9rem 0; }
        .card h2 { margin: 0 0 0.3rem; }
        .card p { margin: 0.3rem 0; }
        .blocked { border-color: var(--alert); }
        .chips { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.7rem 0 0; padding: 0; }
        .chips a { display: block; background: var(--tint); border-radius: 999px; padding: 0.15rem 0.75rem; text-decoration: none; font-size: 0.9rem; }
        .scroll { overflow-x: auto; background: var(--paper); border: 1px solid var(--rule); border-radius: 10px; }
        table { border-collapse: collapse; width: max-content; min-width: 100%; font-size: 0.925rem; font-variant-numeric: tabular-nums; }
        th, td { text-align: start; padding: 0.45rem 0.9rem; vertical-align: top; border-bottom: 1px solid var(--rule); }
        tbody tr:last-child td { border-bottom: 0; }
        tbody tr:hover { background: var(--tint); }
        th { font-size: 0.8rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
        td { max-width: 26rem; overflow-wrap: break-word; }
        td:first-child > a { white-space: nowrap; }
        td time { white-space: nowrap; }
        .tree { white-space: nowrap; }
        .tag { font-size: 0.78rem; font-weight: 500; border: 1px solid var(--rule); border-radius: 5px; padding: 0.05rem 0.4rem; margin-left: 0.5rem; color: var(--soft); white-space: nowrap; }
        td > .tag { margin-left: 0; }
        .type { color: var(--soft); font-size: 0.8rem; font-weight: 400; margin-left: 0.5rem; }
        .null { color: var(--soft); font-style: italic; font-size: 0.85em; }
        .more { color: var(--soft); font-size: 0.85em; white-space: nowrap; }
        .value { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
        code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
        pre { background: var(--page); border-radius: 6px; padding: 0.6rem 0.8rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; margin: 0.5rem 0; }
        .properties { margin: 0; background: var(--paper); border: 1px solid var(--rule); border-radius: 10px; }
        .properties > div { display: grid; grid-template-columns: minmax(10rem, 18rem) 1fr; gap: 0 1rem; padding: 0.5rem 1rem; border-bottom: 1px solid var(--rule); }
        .properties > div:last-child { border-bottom: 0; }
        .properties + .hint { margin-top: 0.9rem; }
        dt { font-weight: 600; overflow-wrap: anywhere; }
        dd { margin: 0; display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; min-width: 0; }
        dd > :first-child { max-height: 24rem; overflow: auto; min-width: 0; }
        .edit { font-size: 0.875rem; flex: none; }
        .objects { margin: 0; padding-left: 1.3rem; columns: 18rem; }
        .objects li { break-inside: avoid; }
        .kept { margin: 0; padding-left: 1rem; }
        .problem { background: var(--alert-tint); color: var(--alert); border-radius: 8px; padding: 0.6rem 0.9rem; max-width: 60rem; }
        fieldset { border: 1px solid var(--rule); border-radius: 10px; background: var(--paper); padding: 0.5rem 1rem 0.9rem; margin: 0 0 0.9rem; }
        legend { font-size: 0.85rem; color: var(--soft); padding: 0 0.4rem; }
        .condition { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.3rem 0; }
        input, select, textarea, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid #8a929c; border-radius: 6px; padding: 0.35rem 0.6rem; max-width: 100%; }
        input[type=text] { flex: 1 1 14rem; min-width: 0; }
        .buttons { display: flex; gap: 1rem; align-items: center; margin-top: 0.7rem; }
        button { background: var(--accent); color: var(--paper); border-color: var(--accent); padding: 0.35rem 1.1rem; cursor: pointer; font-weight: 550; }
        .next { margin-top: 1rem; }
        .edit-form { display: grid; gap: 0.5rem; max-width: 48rem; }
        .edit-form label { font-weight: 600; }
        .edit-form textarea { width: 100%; }
        .check { font-weight: 400 !important; display: flex; gap: 0.5rem; align-items: center; }
        blockquote { margin: 0.4rem 0; padding: 0.5rem 1rem; border-left: 4px solid var(--rule); background: var(--paper); }
        .drawing { padding: 0.5rem; }
        .picture { display: block; font-size: 12.5px; }
        .picture a { text-decoration: none; }
        .box { fill: var(--paper); stroke: #8a929c; }
        .picture a:hover .box, .picture a:focus .box { stroke: var(--accent); stroke-width: 2; }
        .picture text { fill: var(--ink); }
        .picture .name { font-weight: 650; font-size: 14px; }
        .picture .table, .picture .type { fill: var(--soft); font-size: 11.5px; }
        .picture .reference { fill: var(--accent); }
        .picture .row.type { text-anchor: end; }
        .picture .row.type.start { text-anchor: start; }
        .line { fill: none; stroke: #7d8794; stroke-width: 1.4; }
        .subclass { stroke: var(--soft); }
        .pairs { stroke-dasharray: 5 4; }
        .line.marked { stroke: var(--accent); stroke-width: 2.6; }
        .marker { fill: none; stroke: context-stroke; stroke-width: 1.4; }
        #triangle .marker { fill: var(--paper); }
        @media (max-width: 40rem) {
          header nav, main { padding-left: 0.9rem; padding-right: 0.9rem; }
          .properties > div { grid-template-columns: 1fr; }
          h1 { font-size: 1.35rem; }
          .condition select { flex: 1 1 8rem; }
        }
        """
}
