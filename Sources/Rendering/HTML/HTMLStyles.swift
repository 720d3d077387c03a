/// The style sheet of every page. No rule fetches anything. Colours never stand alone: each has a
/// word or a mark beside it.
enum HTMLStyles {
    /// The source of `text` as a Content-Security-Policy names it: the hash of its octets (CSP
    /// level 3, section 2.3.1). A page without it would have no style; a test compares both.
    static let source: StaticString = "sha256-607/mO2wj7UCdZPUlVLzlirzO8pQDXV9HMERtxEOC1A="

    static let text: StaticString = """
        :root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#18202c;--soft:#566173;\
        --line:#dce1e8;--quiet:#eef1f5;--link:#1b4f9c;--good:#0b6a47;--good-soft:#e3f3ea;\
        --bad:#a3182c;--bad-soft:#fbe8ea;--warn:#7b5300;--warn-soft:#fbf1d9;--mark:#fff2c4}
        @media screen and (prefers-color-scheme:dark){:root{--paper:#10141b;--card:#181e27;--ink:#e7ebf2;\
        --soft:#9aa6b8;--line:#2c3543;--quiet:#212936;--link:#8ab8ff;--good:#6fd0a2;\
        --good-soft:#12301f;--bad:#ff9aa5;--bad-soft:#3a161b;--warn:#ecc36a;--warn-soft:#33280f;\
        --mark:#3d3312}}
        *{box-sizing:border-box}
        html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--paper);color:var(--ink);\
        font:400 1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",\
        sans-serif}
        body>*{max-width:70rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2.5rem)}
        a{color:var(--link);text-underline-offset:.15em}
        a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);\
        outline-offset:2px;border-radius:4px}
        code,pre,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",\
        monospace;font-size:.875em}
        code{background:var(--quiet);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
        .skip{position:absolute;left:-100vw}
        .skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.5rem 1rem;z-index:1}
        .top{padding-block:2.5rem 1.5rem}
        .kind{margin:0;color:var(--soft);font-size:.875rem;letter-spacing:.04em}
        h1{font-size:clamp(1.5rem,5vw,2.25rem);line-height:1.2;margin:.25rem 0 .75rem;\
        overflow-wrap:anywhere;font-weight:650;letter-spacing:-.01em}
        h2{font-size:1.25rem;line-height:1.3;margin:0 0 1rem;font-weight:650}
        h3{font-size:1rem;line-height:1.4;margin:0 0 .5rem;font-weight:650;overflow-wrap:anywhere}
        p{margin:0 0 .75rem;overflow-wrap:anywhere}li{overflow-wrap:anywhere}
        .lead{font-size:1.125rem;max-width:46rem}
        .word{display:inline-block;border-radius:999px;padding:.15rem .7rem;font-weight:650;\
        font-size:.875rem;border:1px solid currentColor;white-space:nowrap}
        .good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}.soft{color:var(--soft)}
        .word.good{background:var(--good-soft)}.word.bad{background:var(--bad-soft)}\
        .word.warn{background:var(--warn-soft)}.word.soft{background:var(--quiet)}
        .verdict{font-size:1rem;padding:.2rem .9rem}
        dl.facts{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.35rem 1.25rem;\
        margin:1.25rem 0 0}
        dl.facts dt{color:var(--soft)}
        dl.facts dd{margin:0;overflow-wrap:anywhere;min-width:0}
        nav{padding-block:0 .5rem}
        nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:.75rem 0;\
        border-block:1px solid var(--line);font-size:.9375rem}
        main{padding-block:1rem}
        section{background:var(--card);border:1px solid var(--line);border-radius:12px;\
        padding:clamp(1rem,3vw,1.75rem);margin-block:1.25rem}
        section>:last-child{margin-bottom:0}
        .list{list-style:none;margin:0;padding:0}
        .list>li{padding:.85rem 0;border-top:1px solid var(--line)}
        .list>li:first-child{border-top:0;padding-top:0}
        .list>li:last-child{padding-bottom:0}
        .list p{margin-bottom:.35rem}
        .place{color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}
        details{border:1px solid var(--line);border-radius:8px;margin-top:.75rem;background:var(--card)}
        summary{cursor:pointer;padding:.65rem .9rem;overflow-wrap:anywhere}
        details>:not(summary){margin:0;padding:.25rem .9rem .9rem}
        details dl.facts{margin:0}
        table{border-collapse:collapse;width:100%;font-size:.9375rem}
        caption{text-align:left;color:var(--soft);padding-bottom:.5rem}
        th,td{text-align:left;vertical-align:top;padding:.6rem .75rem .6rem 0;\
        border-top:1px solid var(--line);overflow-wrap:anywhere;min-width:0}
        thead th{border-top:0;color:var(--soft);font-weight:500;font-size:.875rem}
        tbody th{font-weight:600;overflow-wrap:normal}tbody th code{overflow-wrap:normal}
        td p:last-child{margin:0}
        figure{margin:0 0 1.25rem;overflow-x:auto}
        figcaption{color:var(--soft);font-size:.875rem;margin-top:.5rem}
        svg{display:block;font:13px system-ui,"Noto Sans","DejaVu Sans",sans-serif}
        svg text{fill:var(--ink)}svg .soft{fill:var(--soft)}
        svg .box{fill:var(--card);stroke:var(--soft);stroke-width:1.5}
        svg .box.anchor{fill:var(--quiet)}
        svg .box.taken{stroke:var(--good);stroke-width:2.5}
        svg .box.failed{stroke:var(--bad);stroke-width:2.5;stroke-dasharray:6 4}
        svg .arm{fill:none;stroke:var(--soft);stroke-width:1.5}
        svg .arm.taken{stroke:var(--good);stroke-width:2.5}
        svg .arm.failed{stroke:var(--bad);stroke-width:2;stroke-dasharray:6 4}
        svg text.good{fill:var(--good);font-weight:650}svg text.bad{fill:var(--bad);font-weight:650}
        svg .bar{fill:var(--soft);opacity:.45}
        svg .bar.taken{fill:var(--good);opacity:.75}svg .bar.over{fill:var(--bad);opacity:.75}
        svg .axis{stroke:var(--line)}
        svg .dot{stroke:var(--card);stroke-width:1.5;fill:var(--soft)}
        svg .dot.bad{fill:var(--bad)}svg .dot.warn{fill:var(--warn)}
        svg .now{stroke:var(--link);stroke-width:2}
        svg text.now{fill:var(--link);stroke:none;font-weight:650}
        .source{margin:0;padding:0;list-style:none;font-size:.8125rem;line-height:1.6;\
        border:1px solid var(--line);border-radius:8px;overflow:hidden}
        .source li{display:grid;grid-template-columns:3.25rem minmax(0,1fr);padding-inline:.25rem .75rem}
        .source li:target,.source .cited{background:var(--mark)}
        mark{background:none;color:inherit;text-decoration:underline wavy var(--bad) 1.5px;\
        text-underline-offset:.25em}
        .months{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.5rem;align-items:start}
        table.month{font-variant-numeric:tabular-nums;width:auto}
        .month caption{font-weight:650;color:var(--ink)}
        .month th,.month td{border:0;padding:.15rem 0;text-align:center;width:2.15rem;font-size:.875rem;\
        overflow-wrap:normal}
        .month th{font-weight:500;color:var(--soft)}
        .day{display:block;border-radius:6px;font-weight:650;text-decoration:none;white-space:nowrap}
        .day.good{background:var(--good-soft);color:var(--good)}
        .day.bad{background:var(--bad-soft);color:var(--bad)}
        .day.warn{background:var(--warn-soft);color:var(--warn)}
        .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1rem}
        .pair>*{min-width:0}
        table.sides{table-layout:fixed;font-size:.8125rem;border:1px solid var(--line)}
        .sides caption{font-weight:650;color:var(--ink)}
        .sides td,.sides th{border:0;padding:.05rem .5rem}
        .sides thead th{padding-block:.35rem}
        .sides .number{width:3.25rem;color:var(--soft);text-align:right;user-select:none}
        .sides .code{white-space:pre-wrap;font-size:1em}
        .sides .gone{background:var(--bad-soft)}.sides .come{background:var(--good-soft)}
        .sides td:target{outline:2px solid var(--link);outline-offset:-2px}
        .source .number{color:var(--soft);text-align:right;padding-right:.85rem;user-select:none}
        .source .code{white-space:pre-wrap;overflow-wrap:anywhere;font-size:1em}
        pre{margin:.5rem 0;padding:.75rem .9rem;background:var(--quiet);border-radius:8px;\
        white-space:pre-wrap;overflow-wrap:anywhere}
        [hidden]{display:none!important}
        .filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:1.25rem 0 0}
        .filter label{color:var(--soft)}
        .filter input{flex:1 1 14rem;min-width:0;font:inherit;color:inherit;background:var(--card);\
        border:1px solid var(--soft);border-radius:8px;padding:.5rem .8rem}
        .filter output{color:var(--soft);font-size:.9375rem}
        .tree{margin:0;padding:0;list-style:none}
        .tree>li{border-left:2px solid transparent;padding-left:0}
        .tree details{margin-top:.4rem}
        @media screen{.lazy,.source{content-visibility:auto;contain-intrinsic-height:auto 40rem}\
        .lazy{padding:4px;margin:-4px}}
        .tree .d1{margin-left:1.1rem}.tree .d2{margin-left:2.2rem}.tree .d3{margin-left:3.3rem}\
        .tree .d4{margin-left:4.4rem}
        .tree .d1,.tree .d2,.tree .d3,.tree .d4{border-left-color:var(--line);padding-left:.6rem}
        .tree summary{display:flex;flex-wrap:wrap;gap:.2rem .9rem;align-items:baseline}
        .tree summary::before{content:"▸";color:var(--soft)}
        .tree [open]>summary::before{content:"▾"}
        .tree summary code{font-weight:650}
        summary .word{font-size:.8125rem;padding:.05rem .55rem}
        svg .bar.part{fill:var(--warn);opacity:.75}
        footer{padding-block:1rem 3rem;color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}
        @media (max-width:40rem){
        .word{white-space:normal}tbody th{overflow-wrap:anywhere}
        dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:.6rem}
        table.wide thead{position:absolute;left:-100vw}
        table.wide,table.wide caption,table.wide tbody,table.wide tr,table.wide th,table.wide td{display:block}
        table.wide tr{border-top:1px solid var(--line);padding-block:.6rem}
        table.wide tr:first-child{border-top:0}
        table.wide th,table.wide td{border:0;padding:.1rem 0}
        table.sides thead{position:absolute;left:-100vw}
        table.sides,table.sides tbody,table.sides caption{display:block}
        table.sides tr{display:grid;grid-template-columns:3.25rem minmax(0,1fr)}
        table.sides .kept td:nth-child(n+3),table.sides td.none{display:none}}
        @media print{:root{color-scheme:light;--paper:#fff;--card:#fff;--quiet:#f2f3f5}body{font-size:10pt}nav,.skip,.filter label,.filter input{display:none}
        section{border:0;border-top:1px solid var(--line);border-radius:0;padding-inline:0}
        .list>li,tr,details,figure{break-inside:avoid}h2,h3{break-after:avoid}
        details::details-content{content-visibility:visible;display:block;block-size:auto}}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}

        """
}
