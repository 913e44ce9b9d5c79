"""The messages, by topic; tests/cli/messages.py says how to read the tables."""

TABLES = {
    "certificate": r"""
@ none.json {"signature": "x"}
@ old.json {"signature": "x", "systems": [], "options": {"per_eval": false}, "certificate":
  {"arguments": ["--gone", "config.xml"]}}
@ moved.json {"signature": "x", "systems": [], "options": {"per_eval": false}, "certificate":
  {"arguments": ["away.xml"]}}
$ verify none.json
3 Error: none.json: no certificate; expected a certificate, as score --certificate FILE writes it
$ verify gone.json
3 Error: gone.json: no such file; expected a certificate, as score --certificate FILE writes it
$ verify old.json
3 Error: old.json: its command, --gone config.xml, is not one of this version: No such option
  '--gone'.
$ verify moved.json
3 Error: away.xml: no such file; expected the configuration
@ sample
$ verify
2 Error: Missing argument 'FILE'.
$ config.xml --dry-run --certificate c.json
2 Error: --dry-run scores nothing: no --certificate with it
$ --cite --certificate c.json
2 Error: --cite scores nothing: no --certificate or --save with it
$ config.xml --certificate config.xml
2 Error: --certificate: config.xml is an input of this run; name another file
$ config.xml --certificate no/c.json
3 Error: --certificate: no/c.json: no folder '{here}/no'; make it first, or
  name another file
""",
    "columns": r"""
@ c.csv id,bart,Pegasus,reference\n1,a b,c d,a b c d\n2,a,b c,b c\n
$ -n 1 -x c.csv --prediction A=bart --prediction A=Pegasus
3 Error: c.csv, line 2: --prediction names a system 'A' twice; give each NAME=FIELD
$ -n 1 -x c.csv --prediction bart --prediction gone
3 Error: c.csv, line 2: no field 'gone'; the record has: id, bart, Pegasus, reference
+ Error: c.csv, line 3: no field 'gone'; the record has: id, bart, Pegasus, reference
$ c.csv --prediction bart --prediction Pegasus --system id
2 Error: --system and several --prediction exclude each other: each of these is a system
$ c.csv --id a --id b
2 Error: --id takes one value; found 'a' and 'b'
$ c.csv -o a --output b
2 Error: -o/--output takes one value; found 'a' and 'b'
$ c.csv --duc a b --duc c d
2 Error: --duc takes one value; found 'a b' and 'c d'
""",
    "compare": r"""
@ sample
$ compare -z SPL files.lst
2 Error: the input has one system, 'X'; compare needs two or more
$ compare --system-id lead config.xml
2 Error: --system-id leaves one system, 'lead'; compare needs two or more
$ compare --system-id lead --system-id leda config.xml
2 Error: --system-id: no system 'leda'; did you mean 'lead'?
$ compare --system-id lead --system-id lead config.xml
2 Error: --system-id: 'lead' is given twice; give each system once
$ compare -t 1 config.xml
2 Error: -t/--counting: found '1', expected 0; the tests are on means over texts, and counts that
  are pooled over texts have no scores to draw from
$ compare -t 2 config.xml
2 Error: -t/--counting: found '2', expected 0; the tests are on means over texts, and counts that
  are pooled over texts have no scores to draw from
$ compare -r 0 config.xml
2 Error: -r/--resamples: found '0', expected a whole number from 1 to 10000000
$ compare -r many config.xml
2 Error: -r/--resamples: found 'many', expected a whole number from 1 to 10000000
$ compare --seed -1 config.xml
2 Error: --seed: found '-1', expected a whole number from 0 to 4294967295
$ compare --seed 4294967296 config.xml
2 Error: --seed: found '4294967296', expected a whole number from 0 to 4294967295
$ compare --report classic config.xml
2 Error: --report: found 'classic', expected one of table, json, csv, csv-safe, markdown, latex,
  html
$ compare --measures X config.xml
2 Error: --measures: found 'X', expected some of the letters R, P and F, such as F or RPF
$ compare -o '' config.xml
2 Error: -o/--output: found '', expected a path
$ compare -o config.xml config.xml
2 Error: -o/--output: config.xml is an input of this run; name another file
$ compare -n 1 --soft files.lst --soft-threshold 0.5 -o files.lst config.xml
2 Error: -o/--output: files.lst is an input of this run; name another file
$ compare config.xml lead
2 Error: unexpected 'lead' behind config.xml: it is not a file of records or saved scores, and all
  systems are used; --system-id chooses in compare and plan
$ compare --dataset set config.xml
2 Error: --dataset is for records, but config.xml is taken for an XML configuration; -z and
  --records-format say otherwise
$ compare --dataset set --cluster set records.jsonl
2 Error: --dataset and --cluster exclude each other; give one
$ compare --dataset set --peer-lines a --model-lines b
2 Error: --dataset and --predictions exclude each other
$ compare -n 1 -x --run seed --dataset id records.jsonl
2 Error: --run and --dataset exclude each other; give one
$ compare -n 1 -x --run seed --cluster id records.jsonl
2 Error: --run draws texts one by one: it excludes --cluster
$ compare --unmatched skip config.xml
2 Error: --unmatched is for scores that join others (--add scores, --add column), a baseline with
  --not-worse-than, and judgements; nothing here is matched
$ --unmatched skip config.xml
2 Error: --unmatched is for scores that join others (--add scores, --add column), a baseline with
  --not-worse-than, and judgements; nothing here is matched
@ r.csv id,system,prediction,reference\n1,a,x,x\n2,b,x,x\n3,c,x,x\n4,c,x,x\n
$ compare -n1 r.csv
3 Error: systems 'a' and 'b' have no text in common; compare systems that have predictions for the
  same texts
+ Error: systems 'a' and 'c' have no text in common; compare systems that have predictions for the
  same texts
+ Error: systems 'b' and 'c' have no text in common; compare systems that have predictions for the
  same texts
@ r.csv id,system,seed,prediction,reference\n1,a,1,x,x\n1,b,1,x,x\n
$ compare -n1 -x --run seed r.csv
2 Error: --run: no system has two runs, named as in 'a seed=1'; compare without --run
@ r.csv id,system,seed,prediction,reference\n1,a,x SEED=1,x,x\n1,a,2,x,x\n1,b,1,x,x\n
$ compare -n1 -x --run seed r.csv
3 Error: r.csv, line 2: field 'seed' is 'x SEED=1'; expected a run without ' seed='
""",
    "source": r"""
@ r.jsonl {"id": "1", "prediction": "a", "article": "b", "two": ["b", "c"]}\n
$ source r.jsonl
2 Error: Missing option '--sources'.
$ source r.jsonl --sources gone
3 Error: r.jsonl, line 1: no field 'gone'; the record has: id, prediction, article, two
$ source r.jsonl --sources two
3 Error: found several sources of a summary, expected one text for each
$ source r.jsonl --sources article --orders 1,1
2 Error: --orders: found '1,1', expected different whole numbers from 1 to 100, such as 1,2,3
$ source r.jsonl --sources article --rule x
2 Error: --rule: found 'x', expected one of newsroom, presumm
$ r.jsonl --references article -x --add metric:novel:n=0
2 Error: --add metric:novel: n: found 0, expected 1 to 100
$ r.jsonl --references article -x --add metric:coverage:n=2
2 Error: --add metric:coverage: no setting 'n'; known are: none
""",
    "dedup": r"""
@ r.jsonl {"text": "a b"}\n{"text": 3}\n[]\nno\n{"other": "a"}\n
@ e.jsonl
@ ok.jsonl {"text": "a b"}\n
$ dedup r.jsonl --field text
3 Error: r.jsonl, line 2: text: found int, expected a string
+ Error: r.jsonl, line 3: found list, expected an object
+ Error: r.jsonl, line 4: Expecting value
+ Error: r.jsonl, line 5: no field 'text'; the record has: other
$ dedup e.jsonl --field text
3 Error: e.jsonl: empty, expected lines of JSON
$ dedup gone.jsonl --field text
3 Error: gone.jsonl: no such file; expected lines of JSON
$ dedup ok.jsonl
2 Error: Missing option '--field'.
$ dedup --field text
2 Error: one input at a time; found none
$ dedup ok.jsonl r.jsonl --field text
2 Error: one input at a time; found ok.jsonl r.jsonl
$ dedup ok.jsonl --field text -o ok.jsonl
2 Error: -o/--output: ok.jsonl is an input of this run; name another file
$ dedup ok.jsonl --field text -o same --dropped same
2 Error: --dropped: same is the file of another output too, -o/--output same; give each a file of
  its own
$ dedup ok.jsonl --field text --check -o kept
2 Error: --check prints no records: it excludes -o/--output
$ dedup ok.jsonl --field text --threshold 7
2 Error: --threshold: found '7', expected a number from 0 to 1
$ dedup ok.jsonl --field text --metric ROUGE-9
2 Error: metric: found 'ROUGE-9', expected a name such as ROUGE-1:F, ROUGE-L:R, ROUGE-L-text:F,
  ROUGE-W-1.2:F or ROUGE-SU4:P
$ dedup ok.jsonl --field text --stem
2 Error: --protocol decides how texts become scores: it excludes -m/--stem
""",
    "convert": r"""
@ c.xml <R><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT
  TYPE="SPL"/><PEERS><P ID="a">p</P></PEERS><MODELS><M ID="0">p</M></MODELS></EVAL></R>
@ p a\n
@ file
@ full/inner/
$ convert c.xml --to xml -o full
3 Error: -o/--output: full: a folder that is not empty; name a new one
$ convert c.xml --to xml -o file
3 Error: -o/--output: file: not a folder; name a new one
$ convert c.xml --to xml -o no/new
3 Error: -o/--output: no/new: no folder '{here}/no'; make it first
$ convert c.xml --to jsonl -o full
3 Error: -o/--output: full: a directory; name a file in it
$ convert c.xml --to jsonl -o c.xml
2 Error: -o/--output: c.xml is an input of this run; name another file
$ convert c.xml --to jsonl -o new.jsonl.gz
2 Error: -o/--output: new.jsonl.gz: records are not compressed; name it without .gz
$ convert c.xml --to lines -o -
2 Error: -o/--output: --to lines writes a folder; name a new one, not standard output
$ convert c.xml --to lines -o new --text-format SEE
2 Error: --text-format is for --to xml and list
$ convert c.xml --to jsonl -o new --text-format SPL
2 Error: --text-format is for --to xml and list
$ convert c.xml --to html -o new
2 Error: --to: found 'html', expected one of xml, list, lines, jsonl
$ convert c.xml --to xml
2 Error: Missing option '-o' / '--output'.
$ convert c.xml nobody --to xml -o new
2 Error: no system 'nobody' in CONFIG; known are: a
@ c.xml <ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT
  TYPE="SIMPLE"></INPUT-FORMAT><PEERS><P ID="a">p</P></PEERS><MODELS><M
  ID="0">m</M></MODELS></EVAL></ROUGE-EVAL>
@ f.lst p m\n
@ m,p a|b|c\n
$ convert -z SIMPLE f.lst --to jsonl -o out
3 Error: f.lst: Basic Elements (SIMPLE) cannot be converted: the other formats hold sentences; score
  them as they are, with -3
$ convert c.xml --to jsonl -o out
3 Error: c.xml: Basic Elements (SIMPLE) cannot be converted: the other formats hold sentences; score
  them as they are, with -3
@ empty/
$ convert c.xml -o new
2 Error: Missing option '--to'.
@ r.csv id,system,prediction,references\na,A,x,y\na,z,x,y\na.b,A,x,y\na.b,z,x,y\n
$ convert r.csv --to lines -o out
3 Error: no order of lines preserves the scores of all systems: the byte order of EVALID.SYSTEMID,
  in which texts are drawn, differs between A and z; use --to jsonl or --to xml
@ r.csv id,system,prediction,references\n1,a=b,x,y\n1,c,x,y\n
$ convert r.csv --to lines -o out
3 Error: system 'a=b': --predictions NAME=FILE needs a NAME without '='; use --to jsonl or --to xml
""",
    "correlate": r"""
@ judgements
$ correlate --judgements judgements.csv --paper-table -n 2 records.jsonl
2 Error: -n/--max-ngram: --paper-table computes its own 17 metrics; leave it out
$ correlate --judgements judgements.csv --paper-table -x records.jsonl
2 Error: -x/--no-lcs: --paper-table computes its own 17 metrics; leave it out
$ correlate --judgements judgements.csv --conditions stem -m records.jsonl
2 Error: -m/--stem: the conditions say what is stemmed and removed; leave it out
$ correlate --judgements judgements.csv --conditions stem,case records.jsonl
2 Error: --conditions: found 'case', expected one or more of as-is, stem, stop, stem+stop, with
  commas between
$ correlate --judgements judgements.csv --paper-table --model-sets two records.jsonl
2 Error: --model-sets: found 'two', expected one or more of one, all, with commas between
$ correlate --judgements judgements.csv --coefficient pa,all records.jsonl
2 Error: --coefficient: found 'all', expected one or more of pearson, spearman, kendall, pa, acc-eq,
  spa, with commas between
$ correlate --judgements judgements.csv --coefficient '' records.jsonl
2 Error: --coefficient: found '', expected one or more of pearson, spearman, kendall, pa, acc-eq,
  spa, with commas between
$ correlate --judgements judgements.csv --model-sets one records.jsonl
2 Error: --model-sets is for --conditions and --paper-table
$ correlate --judgements judgements.csv -t 1 records.jsonl
2 Error: -t/--counting: found '1', expected 0; the tests are on means over texts, and counts that
  are pooled over texts have no scores to draw from
$ correlate --judgements judgements.csv --coefficient pa,spa --exchange cells records.jsonl
2 Error: --exchange cells: spa takes all texts of a system together; leave out one of
  them
$ correlate --judgements judgements.csv --coefficient acc-eq,pearson --level system records.jsonl
2 Error: --coefficient acc-eq: found --level system, expected summary, the only level
  it has
$ correlate --judgements judgements.csv --coefficient acc-eq --paper-table records.jsonl
2 Error: --coefficient acc-eq: found --level system, expected summary, the only level
  it has
$ correlate --judgements judgements.csv --coefficient acc-eq --resample-judges records.jsonl
2 Error: --resample-judges: not for acc-eq; leave out one of them
$ correlate --judgements judgements.csv --coefficient pa --level system,pooled records.jsonl
2 Error: --level pooled: no --coefficient has this level; leave it out
$ correlate --judgements judgements.csv --measures Q records.jsonl
2 Error: --measures: found 'Q', expected some of the letters R, P and F, such as F or RPF
$ correlate --judgements judgements.csv -o judgements.csv records.jsonl
2 Error: -o/--output: judgements.csv is an input of this run; name another file
$ correlate records.jsonl
2 Error: no judgements: give --judgements FILE, or --judgement FIELD if they are in the
  records
@ s.csv system,eval,m\na,1,1\na,2,2\nb,1,2\nb,2,3\nc,1,3\nc,2,4\n
@ j.csv system,grade\na,1\nb,2\nc,3\n
$ correlate --judgements j.csv --add scores:s.csv --level pooled
3 Error: --level pooled: there is one judgement per system, which has the system level only;
  expected a column 'eval' and a judgement for each system and text
$ correlate --judgements j.csv --add scores:s.csv --coefficient acc-eq
3 Error: --coefficient acc-eq: there is one judgement per system; expected a column 'eval' and a
  judgement for each system and text
$ correlate --judgements j.csv --add scores:s.csv --coefficient spa
3 Error: --coefficient spa: there is one judgement per system; expected a column 'eval' and a
  judgement for each system and text
$ correlate --judgements j.csv --add scores:s.csv --resample-judges
3 Error: --resample-judges: no judgement has several judges in any cell
@ s.csv system,eval,m\na,1,1\na,2,2\nb,1,2\nb,2,3\nc,1,3\nc,2,4\n
@ j.csv system,eval,grade\nz,1,1\na,1,1\na,2,2\nb,1,1\n
$ correlate --judgements j.csv --add scores:s.csv
3 Error: j.csv: no judgement of system 'c', which is scored
+ Error: j.csv: system 'z' is judged, but not scored
+ Error: j.csv: no judgement of system 'b' in text '2'
+ Error: give what is missing, or leave it out with --unmatched skip or skip-cells
@ s.csv system,eval,m\na,1,1\na,2,2\n
@ j.csv system,grade\nneural,1\n
$ correlate --judgements j.csv --add scores:s.csv
3 Error: j.csv: no system is both scored and judged: the scores have 'a', the judgements 'neural'
""",
    "crashes": r"""
@ r.tsv a\x00b\x00\n\x00
@ s.tsv \xff\xfea\x00\n\x00
$ r.tsv s.tsv --encoding utf-16
3 Error: r.tsv: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le
  or utf-16-be; --encoding FILE:NAME gives a single file an encoding of its own
+ Error: s.tsv: no records; expected at least one
@ r.tsv a\x00b\x00\n\x00
$ r.tsv --encoding utf-16
3 Error: r.tsv: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le
  or utf-16-be
@ p a\x00b\x00\n\x00
$ --peer-lines p --model-lines p --encoding utf-16
3 Error: p: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le or
  utf-16-be; --encoding FILE:NAME gives a single file an encoding of its own
@ r.tsv a\x00b\x00\x00\xdca\x00
$ r.tsv --encoding utf-16
3 Error: r.tsv: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le
  or utf-16-be
@ p a\x00b\x00\x00\xdca\x00
$ --peer-lines p --model-lines p --encoding utf-16
3 Error: p: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le or
  utf-16-be; --encoding FILE:NAME gives a single file an encoding of its own
""",
    "empty": r"""
@ m etre ne\n
@ p \xeatre n\xe9\n
$ -n1 --peer-lines p --model-lines m
0 Warning: 1 of 2 texts loses more than a tenth of its letters, the first text 1: p, line 1 (2 of
  6); about 50% of all words lose letters: as in the original only A to Z and digits make words, so
  such scores say little; say which language it is, such as --language fr, or count the words of any
  script with --tokenizer unicode
+ Warning: 1 of 1 prediction looked at holds bytes that are not UTF-8, the first text 1: p, line 1,
  '�tre n�': their letters match no others; name the encoding of the file, such as
  --encoding FILE:cp1252
""",
    "eval_tables": r"""
@ r.csv id,system,prediction,references\n1,one,a,a\n1,two,b,a\n
$ -n1 -x -d --texts --report json r.csv
2 Error: --texts is for --report table, markdown, latex
$ -n1 -x --bars --report latex r.csv
2 Error: --bars is for --report table
$ -n1 -x -d --against three --report table r.csv
2 Error: --against: found 'three', expected one of several systems that are scored; scored are: one,
  two (-a scores all)
$ -n1 -x -d --best 0 --report table r.csv
2 Error: --best: found '0', expected a whole number from 1 on
$ --worst 1 --dry-run r.csv
2 Error: --worst is for --report table, markdown, latex
""",
    "explain": r"""
@ sample
$ explain -n1 -x --eval 11 config.xml
2 Error: --eval: no text '11' in the input; did you mean '1'?
$ explain -n1 -x --eval x config.xml
2 Error: --eval: no text 'x' in the input; known are: 1, 2, 3, 4
$ explain -n1 -x --eval 1 config.xml leed
2 Error: no system 'leed' in the input; did you mean 'lead'?
$ explain -n1 -x --eval 1 --against x config.xml lead
2 Error: no system 'x' in the input; known are: extract, lead, neural
$ explain -n1 -x --worst 1 --against lead config.xml lead
2 Error: --against: 'lead' is the system itself; name another
$ explain -n1 -x --worst 1 --against lead --system-id lead --system-id lead config.xml
2 Error: --against: 'lead' is the system itself; name another
$ explain -n1 -x config.xml
2 Error: 4 texts in the input; name one with --eval ID, such as 1, or choose by score with --worst N
  or --best N
$ explain -n1 -x --eval 1 --best 1 config.xml
2 Error: --eval and --best exclude each other; give one
$ explain -n1 -x --eval 1 --sort ROUGE-1 config.xml
2 Error: --sort is what --worst and --best go by; give one of them
$ explain -n1 -x --best 1 --sort ROUGE-9 config.xml
2 Error: --sort: found 'ROUGE-9', expected a metric of this run (ROUGE-1), alone or with :R, :P or
  :F
$ explain -n1 -x --eval 1 --jackknife config.xml
2 Error: --jackknife scores a text several times, without one reference each; leave it out: the
  score against each single reference is shown anyway
""",
    "folders": r"""
@ m/D1.M.9.J.A,m/D2.M.9.J.A.html,p/D1.M.9.J.1,p/notes a b\n
$ -n1 --duc p m
3 Error: p/notes: no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction,
  D061.M.100.J.A for a reference
+ Error: m/D2.M.9.J.A.html: a reference without a prediction
+ Error: 2 files are unpaired; correct the names or the patterns, or use --unpaired skip
$ -n1 --duc p m --unpaired skip
0 Warning: p/notes: no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction,
  D061.M.100.J.A for a reference; left out
+ Warning: m/D2.M.9.J.A.html: a reference without a prediction; left out
@ m/1,m/2,p/a/1,p/a/2,p/b/1 a b\n
$ -n1 --peers 'p/(?P<system>.)/(.)' --models 'm/#ID#'
0 Warning: text 2: system b has no prediction; the text does not count for it
@ m/1.A.txt,m/2.A.txt,p/1.txt,q/1,q/4 a b\n
$ -n1 --peers 's=p/(\d+)\.txt' --peers 's=q/(\d)' --models 'm/#ID#\.[A-Z]\.txt' --unpaired skip
3 Error: text 1, system s: two predictions, p/1.txt and q/1; expected one
$ -n1 --peers 's=p/(\d+)\.txt' --peers 's=q/(\d)' --models 'm/#ID#\.[A-Z]\.txt'
3 Error: text 1, system s: two predictions, p/1.txt and q/1; expected one
+ Error: q/4 (text 4): a prediction without a reference
+ Error: m/2.A.txt: a reference without a prediction
+ Error: 2 files are unpaired; correct the names or the patterns, or use --unpaired skip
@ deep/er/one.txt,m/1,m/2,p/1,p/2,p/3,p/4 a b\n
@ void/
$ -n1 --peers 'gone/(.)' --models 'm/lost/#ID#'
3 Error: --peers 'gone/(.)': gone/: no such folder
+ Error: --models 'm/lost/#ID#': m/lost/: no such folder
$ -n1 --peers 'p/1/(.)' --models 'm/#ID#'
3 Error: --peers 'p/1/(.)': p/1/: a file, not a folder
$ -n1 --peers 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxx/(.)' --models 'm/#ID#'
3 Error: --peers 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxx/(.)': xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
~ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/: cannot be listed: file name too long
$ -n1 --peers 'p/(.)x' --models 'm/#ID#x'
3 Error: --peers 'p/(.)x': no file in p/ fits; it has 1, 2, 3, ...
+ Error: --models 'm/#ID#x': no file in m/ fits; it has 1, 2
$ -n1 --peers '(.)' --models 'void/#ID#'
3 Error: --peers '(.)': no file in the working directory fits; it has deep/, m/, p/, ...
+ Error: --models 'void/#ID#': no file in void/ fits; it has no files
$ -n1 --peers 'deep/er/(.)/(.)' --models 'deep/#ID#/x/y'
3 Error: --peers 'deep/er/(.)/(.)': no file in deep/er/ fits; it has one.txt
+ Error: --models 'deep/#ID#/x/y': no file in deep/ fits; it has er/one.txt
@ p/sub/
$ -n1 --duc p m
3 Error: --duc: no texts in p; it has sub/
+ Error: --duc: m/: no such folder
@ empty/
$ -n1 --peers 'p/\d' --models 'm/#ID#'
2 Error: --peers 'p/\d': no group for the ID of the text; put parentheses around it, as in
  'system/(\d+)_decoded.txt', or write (?P<id>...)
$ -n1 --peers 'p/(\d)' --models 'm/\d'
2 Error: --models 'm/\d': no #ID#; write it where the ID of the text stands, as in
  'reference/#ID#_reference.txt'
$ -n1 --peers 'p/(.)'
2 Error: --peers and --models go together; give both
$ -n1 --models 'm/#ID#'
2 Error: --peers and --models go together; give both
$ -n1 --peers 'p/(\d+)\.txt' --models 'm/#ID#\.[A-Z]\.txt' config.xml
2 Error: CONFIG 'config.xml' and --peers exclude each other; give one
$ -n1 --duc p m config.xml
2 Error: CONFIG 'config.xml' and --duc exclude each other; give one
""",
    "front_door": r"""
@ sample
$ --preset duc2077 -a config.xml
2 Error: --preset: found 'duc2077', expected one of paper, cnndm, xsum, duc2004, duc2004-headlines,
  duc2004-100-words, duc2005, duc2006, duc2007, tac2008, tac2009; did you mean duc2007?
$ config.xml lead
0
$ -n 1 --score-only ROUGE-3:F -a missing.xml
2 Error: --score-only: no metric 'ROUGE-3' in this run; the metrics are: ROUGE-1, ROUGE-L
$ -n 1 --score-only ROUGE-1:S -a config.xml
2 Error: --score-only: ROUGE-1 has no measure S; it has R, P, F
$ -n 1 --score-only ROUGE-1:F -a config.xml
2 Error: --score-only: there are several systems, extract, lead, neural; name one: extract:ROUGE-1:F
$ -n 1 --score-only best:ROUGE-1:F -a config.xml
2 Error: --score-only: no system 'best' in this run; the systems are: extract, lead, neural
$ -z SPL config.xml
3 Error: config.xml: XML, not a file list; leave out -z SPL, which says that each line names files
$ -z SPL records.jsonl
3 Error: records.jsonl: JSONL, not a file list; leave out -z SPL, which says that each line names
  files
$ ''
3 Error: '': no such file; expected the configuration
$ compare ''
3 Error: '': no such file; expected the configuration
$ install-shim ''
3 Error: '': no name; name a folder
$ --peers '' --models m
2 Error: --peers: found '', expected a string that is not blank
$ --duc '' m
2 Error: --duc: found '', expected a path
@ a.txt,b\x20c.txt A cat sat.\n
@ s.XLSX PK\x03\x04
@ peers/
@ models/
$ a.txt
3 Error: a.txt: a text, not a configuration in XML; name the file of its references too: rouge-cli
  a.txt REFERENCES; if each line names files, give -z FORMAT
$ peers
3 Error: peers: a folder, not a configuration; to score the files there, name the folder of their
  references too: rouge-cli peers REFERENCES
$ peers models
3 peers and models: taken for folders of texts, paired by name; --dry-run shows the pairs
+ Error: --pair: no texts in peers/; it has no files
$ --text 'A cat.'
2 Error: --text and --reference go together; give both
$ --pair a.txt gone.txt
3 Error: folders, text 1: gone.txt: no such file
$ --pair a.txt 'b c.txt' --records-format jsonl
2 Error: --records-format and --pair exclude each other
$ s.XLSX
3 Error: s.XLSX: a spreadsheet, not a configuration; export it as CSV in UTF-8 and score that file
$ compare s.XLSX
3 Error: s.XLSX: a spreadsheet, not a configuration; export it as CSV in UTF-8 and score that file
$ gone.ods
3 Error: gone.ods: no such file; expected the configuration
$ --report json=a --report csv=no/b -a missing.xml
3 Error: --report: no/b: no folder '{here}/no'; make it first, or name another file
""",
    "fusion": r"""
@ sample
$ -n1 config.xml lead --add scores:judgements.csv --fuse 'G=mean(ROUGE-1,ROUGE-9)'
2 Error: --fuse: 'G=mean(ROUGE-1,ROUGE-9)': no metric 'ROUGE-9' in this run; the metrics are:
  ROUGE-1, ROUGE-L, coverage, quality
$ -n1 config.xml lead --fuse 'G=mean(ROUGE-1:S,ROUGE-L)'
2 Error: --fuse: 'G=mean(ROUGE-1:S,ROUGE-L)': ROUGE-1 has no measure S; it has R, P, F
$ -n1 config.xml lead --add scores:judgements.csv --fuse 'G=mean(ROUGE-1,coverage)'
2 Error: --fuse: 'G=mean(ROUGE-1,coverage)': expected metrics of one declared scale, found ROUGE-1:
  0-1, coverage: not declared; --scale NAME=LOW-HIGH declares that of scores from elsewhere
$ -n1 config.xml lead --add scores:judgements.csv --fuse 'G=mean(ROUGE-1,coverage)' --scale
  coverage=1-5
2 Error: --fuse: 'G=mean(ROUGE-1,coverage)': expected metrics of one declared scale, found ROUGE-1:
  0-1, coverage: 1-5; --scale NAME=LOW-HIGH declares that of scores from elsewhere
$ -n1 config.xml lead -t 1 --fuse 'G=mean(ROUGE-1,ROUGE-L)'
2 Error: --fuse has no counts to pool: it excludes -t 1
$ -n1 config.xml lead --add scores:judgements.csv --fuse 'G=mean(coverage,quality)' --scale
  coverage=1-5 --scale quality=1-5 --lower-is-better quality
2 Error: --fuse: 'G=mean(coverage,quality)': lower is better for quality, and not for the others
$ -n1 config.xml lead --fuse 'G=mean(ROUGE-1,ROUGE-L)' --fuse 'H=mean(G,ROUGE-1)'
2 Error: --fuse: 'H=mean(G,ROUGE-1)': G (mean of means) is not a mean over texts, and cannot be
  fused
$ -n1 config.xml lead --fuse 'G=mean(ROUGE-1,ROUGE-L)' --fuse 'G=mean(ROUGE-1,ROUGE-L)'
2 Error: --fuse: 'G' is given twice; give each name once
$ correlate -n1 config.xml --fuse 'G=mean(ROUGE-1,ROUGE-L)' --judgements judgements.csv
  --exchange cells
2 Error: --exchange cells: metrics that are fused from means have
  scores of systems, but no cells to exchange; fuse each text (eval-...), or leave it out
$ correlate config.xml --fuse 'G=mean(ROUGE-1,ROUGE-L)' --judgements judgements.csv --paper-table
2 Error: --fuse: --paper-table computes its own 17 metrics; leave it out
@ s.csv system,eval,a,b\ns,1,2,3\n
$ --add scores:s.csv --scale a=1-5 --scale b=1-5 --fuse 'G=geomean(a,b)'
2 Error: --fuse: 'G=geomean(a,b)': expected a scale that starts at 0 for geomean, found 1-5; give
  mean or eval-mean, or shift the scores
$ --add scores:s.csv --scale a=1-5 --scale b=1-5 --fuse 'G=harmonic(a,b)'
2 Error: --fuse: 'G=harmonic(a,b)': expected a scale that starts at 0 for harmonic, found 1-5; give
  mean or eval-mean, or shift the scores
$ --add scores:s.csv --scale a=1-5 --scale b=1-5 --fuse 'G=eval-geomean(a,b)'
2 Error: --fuse: 'G=eval-geomean(a,b)': expected a scale that starts at 0 for geomean, found 1-5;
  give mean or eval-mean, or shift the scores
$ --add scores:s.csv --scale a=1-5 --scale b=1-5 --fuse 'G=eval-harmonic(a,b)'
2 Error: --fuse: 'G=eval-harmonic(a,b)': expected a scale that starts at 0 for harmonic, found 1-5;
  give mean or eval-mean, or shift the scores
""",
    "identify": r"""
@ a.txt the cat\ndogs ran\n
@ models.txt the cat\ndog ran\n
@ r.jsonl {"prediction": "the cat", "references": ["the cat"]}\n{"prediction": "dogs ran",
  "references": ["dog ran"]}
$ identify r.jsonl
2 Error: Missing option '--published'.
$ identify r.jsonl --published ROUGE-1
2 Error: --published: found 'ROUGE-1', expected numbers by metric, such as 'ROUGE-1=44.16
  ROUGE-2=21.28 ROUGE-L:R=0.409'
$ identify r.jsonl --published ROUGE-1=1 --order x
2 Error: --order: found 'x', expected one of lines, numbers-from-0, numbers-from-1, ids
$ identify r.jsonl --published ROUGE-1=1 -m
2 Error: No such option '-m'.
$ identify r.jsonl --published ROUGE-1=1 --system-id x
2 Error: --system-id: no system 'x'; known are: r
@ a.txt the cat\ndogs ran\n
@ models.txt the cat\ndog ran\n
@ r.jsonl,s.jsonl {"prediction": "the cat", "references": ["the cat"]}\n{"prediction": "dogs ran",
  "references": ["dog ran"]}
$ identify r.jsonl s.jsonl --published 'ROUGE-1=0.75 ROUGE-L:R=0.750'
2 Error: there are 2 systems: 'r', 's'; say with --system-id whose numbers they are
$ identify r.jsonl s.jsonl --published 'ROUGE-1=0.75 ROUGE-L:R=0.750' --system-id s
0
@ a.txt caf\xe9\ndogs\n
@ models.txt the cat\ndog ran\n
@ r.jsonl {"prediction": "the cat", "references": ["the cat"]}\n{"prediction": "dogs ran",
  "references": ["dog ran"]}
$ identify --peer-lines a.txt --model-lines models.txt --published 'ROUGE-1=0.75 ROUGE-L:R=0.750'
3 Error: line files: a text is not UTF-8 (unexpected end of data), which other packages need; save
  it as UTF-8
""",
    "inputs": r"""
@ blank  a b\n
@ list blank text\n
@ text a b\n
$ -n1 -z SPL list
0
$ -n1 -l 1 -z SPL list
0 Warning: text 1: blank: no tokens
""",
    "install_shim": r"""
@ home
@ empty/
$ install-shim home
3 Error: home: not a folder; name a new one
$ install-shim none/home
3 Error: none/home: no folder '{here}/none'; make it first
$ install-shim .
3 Error: .: a folder that is not empty; name a new one
$ install-shim ''
3 Error: '': no name; name a folder
@ home/ROUGE-1.5.5.pl #!/usr/bin/perl -w\n# Version: 1.5.5\n
$ install-shim home
3 Error: home: a folder that is not empty; name a new one
@ home/ROUGE-1.5.5.pl/
$ install-shim home
3 Error: home: a folder that is not empty; name a new one
""",
    "jackknife": r"""
@ sample
$ jackknife records.jsonl
3 Error: text 1, text 2, text 3 and 1 more: its texts are not separate files; make some first:
  rouge-cli convert --to xml
@ D1.M.9.J.1.html <html><body>\n<a name="1">[1]</a> <a href="#1" id=1>a b</a>\n</body></html>\n
@ D1.M.9.J.A,D1.M.9.J.B a\n
$ jackknife --duc . .
3 Error: text D1.M.9.J: files of several formats, but those of a text must have one; convert them
  first: rouge-cli convert --to xml
""",
    "languages": r"""
@ list peer model\n
@ model \xc3\xa4\n\n\nsch\xc3\xb6n\nsch\xf6n\n
@ peer Gr\xc3\xb6\xc3\x9fere H\xc3\xa4user.\n
$ --language de -n1 -z SPL list
3 Error: text 1: model: byte 0xF6 at offset 15 is not UTF-8, which the options under Language need;
  save it as UTF-8
$ --language de --dry-run -n1 -z SPL list
3 Error: text 1: model: byte 0xF6 at offset 15 is not UTF-8, which the options under Language need;
  save it as UTF-8
@ list peer model\n
@ model <html>\n<a name="1">[1]</a> <a href="#1" id=1>Gr\xfcn</a>\n
@ peer <a name="1">[1]</a> <a href="#1" id=1>a</a>\n
$ --language de -n1 -z SEE list
3 Error: text 1: model: byte 0xFC at offset 47 is not UTF-8, which the options under Language need;
  save it as UTF-8
@ list peer model\n
@ model Das gr\xc3\xb6\xc3\x9fere Haus.\n
@ models a\nb\n
@ peer Gr\xc3\xb6\xc3\x9fere H\xc3\xa4user.\n
@ peers a\ngr\xfcn\n
$ --language de --peer-lines peers --model-lines models -n1
3 Error: text 2: peers, line 2: byte 0xFC at offset 2 is not UTF-8, which the options under Language
  need; save it as UTF-8
$ --language de --encoding latin-1 --peer-lines peers --model-lines models -n1
0
@ list peer model\n
@ model Das gr\xc3\xb6\xc3\x9fere Haus.\n
@ peer Gr\xc3\xb6\xc3\x9fere H\xc3\xa4user.\n
$ --language german -z SPL list
2 Error: --language: found 'german', expected a BCP 47 tag, such as de, zh or pt-BR; german has the
  tag de
$ --tokenizer words -z SPL list
2 Error: --tokenizer: found 'words', expected one of ascii155, unicode, char, whitespace, icu,
  jieba, mecab, thai
$ --language ja -m -z SPL list
2 Error: -m/--stem: no stemmer for --language ja; there is one for ar, ca, cs, da, de, el, en, eo,
  es, et, eu, fa, fi, fr, ga, hi, hu, hy, id, it, lt, nb, ne, nl, nn, no, pl, pt, ro, ru, sr, st,
  sv, ta, tr, yi; --no-stem scores words as they are
$ --language de -3 H -z SPL list
2 Error: -3/--basic-elements reads elements in English as the original does: it excludes the options
  under Language
$ --language de -e x -z SPL list
2 Error: -e/--data-dir holds word lists of ROUGE-1.5.5, which the options under Language replace;
  leave it out, and name a list of stopwords with --stopwords
""",
    "lines": r"""
@ p a b\nc d\n
@ m a b\nc x\n
@ config.xml <ROUGE-EVAL></ROUGE-EVAL>
$ --peer-lines p
2 Error: --predictions and --references go together; give both
$ --model-lines m
2 Error: --predictions and --references go together; give both
$ --peer-lines p --model-lines m config.xml
2 Error: CONFIG 'config.xml' and --predictions exclude each other; give one;
  --prediction names a field of records
$ --peer-lines - --model-lines -
2 Error: - (standard input) occurs 2 times in --predictions and --references; it can be read once
$ --peer-lines a=- --peer-lines b=- --model-lines m
2 Error: - (standard input) occurs 2 times in --predictions and --references; it can be read once
$ --peer-lines p --model-lines m -z SPL
2 Error: -z/--list-format and --predictions exclude each other
$ --peer-lines p --model-lines m -3 HM
2 Error: -3/--basic-elements is for files in the format SIMPLE, not for line files
$ --peer-lines p --model-lines m --peer-lines a=p
2 Error: --predictions: expected NAME=FILE for each of several files, found 'p'
$ --peer-lines a=p --peer-lines a=m --model-lines m
2 Error: --predictions: expected a name for each file of its own, found 'a' twice
$ --peer-lines =p --model-lines m
2 Error: --predictions: expected NAME=FILE for each of several files, found '=p'
$ --peer-lines a= --model-lines m
2 Error: --predictions: expected NAME=FILE for each of several files, found 'a='
$ --peer-lines p --model-lines m --sentence-separator ' '
2 Error: --sentence-separator: found ' ', expected a string that is not blank
$ --peer-lines '' --model-lines m
2 Error: --predictions: found '', expected a path
$ --sentence-separator '<q>' config.xml one
2 Error: --sentence-separator is for line files and records, but config.xml is taken for an XML
  configuration; -z and --records-format say otherwise
@ m a\nb\nc
@ p a\nb\n
$ --peer-lines p --model-lines m
3 Error: line files of different lengths: p has 2; m has 3; expected as many lines in each
@ m a\n
@ p a\n\n
$ --peer-lines p --model-lines m
3 Error: line files of different lengths: p has 2; m has 1; expected as many lines in each; the last
  line of p is empty
@ m a\n
@ p
$ --peer-lines p --model-lines m
3 Error: line files of different lengths: p has 0; m has 1; expected as many lines in each
@ m,p
$ --peer-lines p --model-lines m
3 Error: p: an empty file; expected one text per line
@ folder/
@ m a b\nc x\n
@ p a b\nc d\n
$ --peer-lines one=lost --peer-lines two=p --model-lines folder --model-lines m --model-lines gone
3 Error: lost: no such file
+ Error: folder: a directory, not a file
+ Error: gone: no such file
@ m a b\nc x\n
@ p a b\nc<q>d\n
$ --peer-lines p --model-lines p --sentence-separator '<q>'
0 Warning: 1 file of predictions is among the references too, the first p: each line is measured
  against itself; name another file with --predictions or --references
+ Warning: p: 1 of 2 texts has no '<q>', the first on line 1: each counts as one sentence, which
  changes ROUGE-L and ROUGE-W
@ m a b\nc x\n
@ m.gz,p a b\nc d\n
@ p.gz \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc57\x01\x00\x00\x08\x00\xa0\xdf\x14Vs\xf4\xcf`
~ \x10\xe1\xa1\xb2cr\xa3l\xdb
$ --peer-lines p.gz --model-lines m.gz
3 Error: p.gz: truncated gzip, it ends before its end; fetch or compress it again; expected one text
  per line
+ Error: m.gz: not gzip, though its name ends in .gz; expected one text per line, compressed with
  gzip
@ m \xff\n
@ p a\nb caf\xe9\n
$ --peer-lines p --model-lines m --encoding utf-8
3 Error: p, line 2: byte 0xE9 at column 6 is not utf-8; give the encoding of the file with
  --encoding, or leave --encoding out to take its bytes as they are; --encoding
  FILE:NAME gives a single file an encoding of its own
+ Error: m, line 1: byte 0xFF at column 1 is not utf-8; give the encoding of the file with
  --encoding, or leave --encoding out to take its bytes as they are; --encoding
  FILE:NAME gives a single file an encoding of its own
$ --peer-lines p --model-lines p --encoding latin-1
0 Warning: 1 file of predictions is among the references too, the first p: each line is measured
  against itself; name another file with --predictions or --references
+ Warning: 2 of 4 texts lose more than a tenth of their letters, the first text 2: p, line 2 (1 of
  5); about 33% of all words lose letters: as in the original only A to Z and digits make words, so
  such scores say little; say which language it is, such as --language fr, or count the words of any
  script with --tokenizer unicode
@ m \x00a\x00\n\x00b
@ p a\nb\n\x00\n
$ --peer-lines p --model-lines m
3 Error: p, line 3: a zero byte; expected text, one per line; UTF-16 needs --encoding utf-16
+ Error: m, line 1: a zero byte; expected text, one per line; UTF-16 needs --encoding utf-16
$ --peer-lines p --model-lines m --encoding latin-1
3 Error: p, line 3: a zero byte at column 1, as in a binary file; expected text; UTF-16 needs
  --encoding utf-16
+ Error: m, line 1: a zero byte at column 1, as in a binary file; expected text; UTF-16 needs
  --encoding utf-16
""",
    "pages_and_plots": r"""
@ sample
$ -a --plot pie=a.svg config.xml
2 Error: --plot: found 'pie=a.svg', expected a file whose name ends in .svg, .png or .pdf, alone or
  after the name of a figure and '=': forest, differences, distributions, wins, agreement, power,
  protocols, context
$ -a --plot power=a.svg config.xml
2 Error: --plot: found 'power=a.svg', expected one of the figures of this command: forest,
  differences, distributions, wins
$ -a --no-texts config.xml
2 Error: --no-texts is for --report html
$ -a --no-figures config.xml
2 Error: --no-figures is for --report html
$ -a --title T config.xml
2 Error: --title is for --report html
$ -a --notes n.md config.xml
2 Error: --notes is for --report html
$ -a --report html --notes - config.xml
2 Error: --notes: found '-', expected a file; standard input is for texts
$ -a --width 84mm config.xml
2 Error: --width is for --plot
$ -a --columns 2 config.xml
2 Error: --columns is for --plot
$ -a --font-size 8 config.xml
2 Error: --font-size is for --plot
$ -a --plot a.svg --width 84 config.xml
2 Error: --width: found '84', expected a length from 30mm to 1000mm, such as 84mm, 8.4cm, 3.3in or
  240pt
$ -a --plot a.svg --width 2cm config.xml
2 Error: --width: found '2cm', expected a length from 30mm to 1000mm, such as 84mm, 8.4cm, 3.3in or
  240pt
$ -a --plot a.svg --font-size 3 config.xml
2 Error: --font-size: found '3', expected a number from 4 to 30
$ explain --title T config.xml
2 Error: --title is for --report html
$ explain --notes n.md config.xml
2 Error: --notes is for --report html
$ -a --page-field x config.xml
2 Error: --page-field is for --report html, where its page lists texts
$ compare --page-field x config.xml
2 Error: --page-field is for --report html, where its page lists texts
$ compare --run seed --page-field x --report html config.xml
2 Error: --page-field is for --report html, where its page lists texts
$ -a --page-field x --page-field x config.xml
2 Error: --page-field: a field is given twice; give each once
$ -a --page-source x config.xml
2 Error: --page-source is for --report html, where its page lists texts
$ -a --page-source x --no-texts --report html config.xml
2 Error: --page-source and --no-texts exclude each other; give one
$ -a --page-field x --page-source x config.xml
2 Error: --page-field: a field is given twice; give each once
$ compare --no-texts config.xml
2 Error: --no-texts is for --report html
$ compare --no-figures config.xml
2 Error: --no-figures is for --report html
""",
    "plan": r"""
@ judgements
$ plan records.jsonl
2 Error: the pilot has 10 systems: 'eighth', 'fifth', 'first', 'fourth', 'ninth', 'second',
  'seventh', 'sixth', 'tenth', 'third'; name two of them with --system-id
$ plan --spread 0.1 -n1 -x --system-id second --system-id third records.jsonl
2 Error: --spread is for a pilot of one system; two say it themselves
$ plan --power 1 -n1 -x --system-id second --system-id third records.jsonl
2 Error: --power: found '1', expected a number above 0.5 and below 1
$ plan --difference 0 -n1 -x --system-id second --system-id third records.jsonl
2 Error: --difference: found '0', expected a number above 0
$ plan --difference 1 --equivalence 1 -n1 -x --system-id second --system-id third records.jsonl
2 Error: --difference and --equivalence exclude each other; give one
$ plan --system-id none -n1 -x --system-id second --system-id third records.jsonl
2 Error: --system-id: no system 'none'; known are: eighth, fifth, first, fourth, ninth, second,
  seventh, sixth, tenth, third
$ plan --spread 0.1 --spread-confidence 0.8 --system-id second --system-id third records.jsonl
2 Error: --spread and --spread-confidence exclude each other: a standard deviation that is given has
  no error of the pilot
$ plan --system-id second --difference 0.02 records.jsonl
2 Error: --spread: missing, as the pilot has one system, 'second'; expected the standard deviation
  of its difference from another one, text by text
@ s.csv system,eval,m\na,1,1\na,2,2\nb,1,2\nb,2,4\n
$ plan --add scores:s.csv
3 Error: a pilot needs at least 3 texts, or clusters, that its systems share
@ s.csv system,eval,m\na,1,1\na,2,2\na,3,3\nb,1,2\nb,2,3\nb,3,4\n
$ plan --add scores:s.csv
3 Error: m S: all texts of the pilot are alike; a plan needs scores that vary
@ c.xml <ROUGE-EVAL/>
@ r.jsonl {"id": 1, "system": "a", "prediction": "x", "reference": "x", "grade": "good", "topic":
  "t"}\n{"id": 1, "system": "b", "prediction": "x", "reference": "x", "grade": 1, "topic": "u"}\n
$ correlate --judgement grade r.jsonl
3 Error: r.jsonl, line 1: field 'grade': found 'good', expected a number
$ correlate --judgement gone r.jsonl
3 Error: r.jsonl: nothing in field 'gone'; the record has: id, system, prediction, reference, grade,
  topic
$ correlate --judgement grade c.xml
2 Error: --judgement names fields of a file of records, and CONFIG is not one; give the judgements
  with --judgements FILE
$ -n1 -a --cluster topic r.jsonl
3 Error: r.jsonl, line 2: text 1: 'topic' is 'u', and 't' before; expected the same for every system
  of a text
$ -n1 -a --cluster none r.jsonl
3 Error: r.jsonl, line 1: no field 'none'; the record has: id, system, prediction, reference, grade,
  topic
+ Error: r.jsonl, line 2: no field 'none'; the record has: id, system, prediction, reference, grade,
  topic
$ --cluster x --peer-lines a --model-lines b
2 Error: --cluster and --predictions exclude each other
@ r.jsonl {"id": 1, "system": "a", "prediction": "x", "reference": "x", "grade": []}\n{"id": 1,
  "system": "b", "prediction": "x", "reference": "x", "grade": [1, true]}\n
$ correlate --judgement grade r.jsonl
3 Error: r.jsonl, line 1: field 'grade': found an empty list, expected the numbers of the judges
+ Error: r.jsonl, line 2: field 'grade': found True, expected a number
@ r.jsonl {"id": 1, "system": "a", "prediction": "x", "reference": "x", "tone": 3}\n{"id": 1,
  "system": "b", "prediction": "x", "reference": "x", "tone": 3, "style": 4}\n
$ correlate --judgement tone --judgement style r.jsonl
3 Error: r.jsonl, line 1: nothing in field 'style'; expected a number in each of the fields, or in
  none
@ r.csv id,a,b,reference,grade\n1,x,y,x,1\n
$ correlate --prediction a --prediction b --judgement grade r.csv
2 Error: --judgement is of one system for each record, and several --prediction make several; give
  the judgements with --judgements FILE
""",
    "protocols": r"""
@ r.jsonl {"prediction": "the cat sat. on the mat", "references": ["the cat sat on the
  mat"]}\n{"prediction": "b c", "references": ["b c d"]}
$ --protocol ignite r.jsonl
0 Warning: ignite: with alpha 0 F is recall
$ --protocol ignite:alpha=0.5 r.jsonl
0
$ --protocol sumeval r.jsonl
0 Warning: sumeval: stopwords are removed, which is the package's default
$ --protocol sumeval:stopwords=true r.jsonl
0
$ --protocol py-rouge:weight_factor=1.2 r.jsonl
0 Warning: py-rouge: recall and precision of ROUGE-L are roots, as the weight is 1.2; they are too
  high
$ --protocol rouge r.jsonl
0
@ r.jsonl {"prediction": "a.a.a", "reference": "a.a"}
$ --protocol rouge:exclusive=false r.jsonl
0 Warning: rouge: rouge-l exceeds 1 for some texts
@ own.toml nam = "x"\nlike = "roug"\n[text]\ncase = "upper"\nlimits = 3\n[counts]\nmetrics = 3\n
@ r.jsonl {"prediction": "the cat sat. on the mat", "references": ["the cat sat on the
  mat"]}\n{"prediction": "b c", "references": ["b c d"]}
$ --protocol own.toml r.jsonl
3 Error: own.toml: found 'nam', expected name?
+ Error: own.toml: text.case: found 'upper', expected 'kept' or 'lower' or 'lower-words'
+ Error: own.toml: found 'text.limits', expected text.limit?
+ Error: own.toml: counts.metrics: found 3, expected a list, each a list, each a string
+ Error: own.toml: like: protocol: found 'roug', expected one of rouge, rouge-chinese, longbench,
  py-rouge, rouge-metric, sumeval, easy-rouge, pycocoevalcap, rouge-score, evaluate, datasets,
  xlsum, t5, lm-eval-truthfulqa, scrolls, torchmetrics, ignite, tensor2tensor, naive-set,
  files2rouge, pyrouge, presumm, js-rouge, llama-factory, ms-swift, opencompass-jieba,
  opencompass-longbench, lveval, fitzyracing-rouge, helm, lighteval, biolaysumm, open-unlearning,
  gem, natural-instructions, google-adk, azure, ragas, rapidrouge, kurenai; did you mean rouge?
@ r.jsonl {"prediction": "the cat sat. on the mat", "references": ["the cat sat on the
  mat"]}\n{"prediction": "b c", "references": ["b c d"]}
$ explain --protocol rouge --eval 1 r.jsonl
2 Error: No such option '--protocol'.
""",
    "records": r"""
@ empty/
$ -3 HM r.jsonl
2 Error: -3/--basic-elements is for files in the format SIMPLE, not for records
$ --encoding latin-1 r.parquet
2 Error: --encoding is not for Parquet, which says itself how text is encoded
@ r.jsonl {"prediction": "a b", "references": ["a c"]}
$ -x -n1 -r1 r.jsonl --prediction doc.x --references refs --id n --system by
3 Error: r.jsonl, line 1: no field 'by'; the record has: prediction, references
+ Error: r.jsonl, line 1: no field 'n'; the record has: prediction, references
+ Error: r.jsonl, line 1: no field 'doc.x'; the record has: prediction, references
+ Error: r.jsonl, line 1: no field 'refs'; the record has: prediction, references
@ r.json [{"prediction": "a", "one": "a", "other": null}]
$ -x -n1 -r1 r.json --references one --references other
0 Warning: r.json: 1 empty reference beside others, the first at record 1: absent, and not counted
  as references
$ --protocol rouge-score r.json --references one --references other
3 Error: r.json, record 1: no references in field 'other'; expected some in each of the fields
@ folder.json/
$ -x -n1 -r1 gone.csv
3 Error: gone.csv: no such file; expected a file of records
$ -x -n1 -r1 folder.json
3 Error: folder.json: a directory, not a file; expected a file of records
@ r.json [{"prediction": "a<q>b", "reference": "a<q>c"}, {"prediction": "a b", "reference":
  "a<q>c"}, {"prediction": "", "reference": ["a", "b"]}, {"prediction": "a b", "reference": "c"}]
@ r.jsonl {"prediction": "a<q>b", "reference": "a<q>c"}\n{"prediction": "a b", "reference":
  "a<q>c"}\n{"prediction": "", "reference": ["a", "b"]}\n{"prediction": "a b", "reference": "c"}\n
$ r.jsonl --sentence-separator '<q>'
0 Warning: r.jsonl: 3 of 7 texts have no '<q>', the first on line 2: each counts as one sentence,
  which changes ROUGE-L and ROUGE-W
+ Warning: text 3: r.jsonl, line 3: no tokens
$ r.json --sentence-separator '<q>'
0 Warning: r.json: 3 of 7 texts have no '<q>': each counts as one sentence, which changes ROUGE-L
  and ROUGE-W
+ Warning: text 3: r.json, record 3: no tokens
$ -x -n1 -r1 r.jsonl --sentence-separator '<q>'
0 Warning: text 3: r.jsonl, line 3: no tokens
@ r.jsonl {"prediction": "a<q>b", "reference": "a<q>c"}\n{"prediction": "a b", "reference": "a c"}\n
$ --lcs r.jsonl
0 Warning: 1 of 2 predictions looked at holds '<q>', the first text 1: r.jsonl, line 1, 'a<q>b': it
  counts as a word, and no sentence ends there; ROUGE-L F of the 2 pairs looked at is 0.5833, and
  0.5000 without; give --sentence-separator '<q>' if it stands between sentences
$ explain --lcs r.jsonl --eval 1
0 Warning: 1 of 1 prediction looked at holds '<q>', the first text 1: r.jsonl, line 1, 'a<q>b': it
  counts as a word, and no sentence ends there; ROUGE-L F of this pair is 0.6667, and 0.5000
  without; give --sentence-separator '<q>' if it stands between sentences
$ -x -n1 -r1 r.jsonl
0
@ r.csv prediction,references\na,"['a', 'b']"\n
$ -x -n1 -r1 r.csv
0 Warning: r.csv: 1 text is a list written as a string, the first at line 2: each counts as one
  text; save lists as JSONL or Parquet, or each reference in a field of its own
@ r.csv prediction,references\na,"['a', 'b']"\n
@ r.json [{"prediction": "a", "reference": "b"}, {"prediction": "[\\"a\\", \\"b\\"]", "reference":
  "[['a']]"}]
$ -x -n1 -r1 r.json
0 Warning: r.json: 2 texts are lists written as a string, the first at record 2: each counts as one
  text; save lists as JSONL or Parquet, or each reference in a field of its own
@ r.csv prediction,references\na,b\na,"[""a"", ""b""]"\na,"[""c""]"\n
@ r.json [{"prediction": "a", "reference": "b"}, {"prediction": "[\\"a\\", \\"b\\"]", "reference":
  "[['a']]"}]
$ -x -n1 -r1 r.csv
0 Warning: r.csv: 2 fields of references are JSON lists in a string, the first at line 3: each
  counts as one text; give --references-json to read each string of a list as a reference
@ r.csv prediction,references\na,b\na,"[""a"", ""b""]"\na,"[""c""]"\n
@ r.json [{"prediction": "[a] b", "references": ["[a]", ["[b]"]]}]
$ -x -n1 -r1 r.json
0
@ r.csv prediction|references\na|b\n
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 2: neither prediction nor references; name the fields with --prediction and
  --references; the record has: prediction|references; if something other than ',' stands between
  fields, give --delimiter
$ -x -n1 -r1 --delimiter '|' r.csv
0
@ r.csv prediction,other\na,b\n
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 2: no references; name their field with --references, or their file with
  --references-from; the record has: prediction, other
@ r.csv prediction|references\na|b\n
$ -x -n1 -r1 --prediction prediction --references references --delimiter ';' r.csv
3 Error: r.csv, line 2: a header of one field, 'prediction|references'; if something other than ';'
  stands between fields, give --delimiter
@ r.csv prediction,references\na,plain\n
$ -x -n1 -r1 --references-json r.csv
3 Error: r.csv, line 2: field 'references' is the string 'plain'; expected a JSON list of strings in
  a string, such as ["One.", "Another."], as --references-json asks for
@ r.csv prediction,references\na,\n
$ -x -n1 -r1 --references-json r.csv
3 Error: r.csv, line 2: field 'references' is the string ''; expected a JSON list of strings in a
  string, such as ["One.", "Another."], as --references-json asks for
@ r.csv prediction,references\na,['a']\n
$ -x -n1 -r1 --references-json r.csv
3 Error: r.csv, line 2: field 'references' is the string "['a']"; expected a JSON list of strings in
  a string, such as ["One.", "Another."], as --references-json asks for
@ r.tsv prediction\treferences\na\t[1]\n
$ -x -n1 -r1 --references-json r.tsv
3 Error: r.tsv, line 2: field 'references' is the string '[1]'; expected a JSON list of strings in a
  string, such as ["One.", "Another."], as --references-json asks for
@ r.jsonl {"prediction": "a", "references": ["a"]}\n
$ -x -n1 -r1 --references-json r.jsonl
3 Error: r.jsonl, line 1: field 'references' is a list; expected a JSON list of strings in a string,
  such as ["One.", "Another."], as --references-json asks for
@ r.csv text\na b\n
$ -x -n1 -r1 --prediction text --references text r.csv
0 Warning: r.csv: field 'text' is read as prediction and as references: each text is measured
  against itself; name another field with --prediction or --references
@ r.jsonl {"prediction": "a b", "references": ["a c"], "n": 1, "s": "a"}\n{"prediction": "a b",
  "references": ["a c"], "n": 2, "s": "a", "id": 1, "system": "b", "output": "c", "target": "c"}\n
$ -x -n1 -r1 --prediction prediction --references references --id n --system s r.jsonl
0
@ r.jsonl {"prediction": "a", "references": ["a"]}\n{"output": 1}\n{"prediction": 1}\n{"prediction":
  "a", "references": [1]}\n
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl, line 2: no field 'prediction'; the record has: output
+ Error: r.jsonl, line 3: field 'prediction' is the number 1; expected a string, a list of
  sentences, or an object with 'text'
+ Error: r.jsonl, line 4: field 'references': item 1 is the number 1; expected a string, a list of
  sentences, or an object with 'text'
@ r.jsonl {"prediction": "a", "references": []}\n{"prediction": "a"}\n{"prediction": "a",
  "references": null}\n
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl, line 1: text 1: no references in field 'references'; expected at least one
+ Error: r.jsonl, line 2: text 2: no references in field 'references'; expected at least one
+ Error: r.jsonl, line 3: text 3: no references in field 'references'; expected at least one
@ r.jsonl {"id": 1, "prediction": "a", "reference": "a"}\n{"id": "1", "prediction": "a",
  "reference": "a"}\n
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl, line 2: text 1: a duplicate of r.jsonl, line 1; expected each ID once; if there
  are several systems, name their field with --system
@ r.json [{"id": 1, "system": "s", "prediction": "a", "reference": "a"},{"id": 1, "system": "t",
  "prediction": "a", "reference": "b"},{"id": 1, "system": "s", "prediction": "a"}]
$ -x -n1 -r1 r.json
3 Error: r.json, record 2: text 1: other references than in r.json, record 1; expected the same for
  every system of a text
+ Error: r.json, record 3: text 1, system s: a duplicate of r.json, record 1; expected one record
  for each text and system
@ r.jsonl {"id": 1.5, "system": "s", "prediction": "a", "reference": "a"}\n{"id": true, "system": "
  ", "prediction": "a", "reference": "a"}\n{"id": "a\\nb", "system": null, "prediction": "a",
  "reference": "a"}\n{"id": "\\ud800", "prediction": "a", "reference": "a"}\n
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl, line 1: field 'id' is the number 1.5; expected an ID, a string or a whole number
+ Error: r.jsonl, line 2: field 'system' is blank; expected an ID, a string or a whole number
+ Error: r.jsonl, line 2: field 'id' is true; expected an ID, a string or a whole number
+ Error: r.jsonl, line 3: field 'system' is null; expected an ID, a string or a whole number
+ Error: r.jsonl, line 3: field 'id' is 'a\nb'; expected an ID, a string or a whole number without
  control characters
+ Error: r.jsonl, line 4: no field 'system'; the record has: id, prediction, reference
+ Error: r.jsonl, line 4: field 'id' is '\ud800'; expected an ID, a string or a whole number without
  control characters
@ r.csv prediction,references\ncaf\xc3\xa9,a\n\ncaf\xe9,b\n
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 4: byte 0xE9 at column 4 is not UTF-8; name the encoding of the file with
  --encoding
@ r.csv prediction,references\na\nx,\xc3
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 2: 1 field; expected 2, as in the header
+ Error: r.csv, line 3: byte 0xC3 at column 3 is not UTF-8; name the encoding of the file with
  --encoding
@ r.csv prediction,references\na,\x00\n
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 2: a zero byte at column 3, as in a binary file; expected text; UTF-16 needs
  --encoding utf-16
@ r.csv \x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 1: byte 0x89, and a zero byte at column 1, as in a binary file; expected text;
  UTF-16 needs --encoding utf-16
@ r.csv PK\x03\x04\x14\x00\x06\x00
$ -x -n1 -r1 r.csv
3 Error: r.csv: a ZIP archive or an Office file; unpack it, or save it as text or CSV
@ r.csv \xff\xfeI\x00D\x00\x00
$ -x -n1 -r1 r.csv
3 Error: r.csv, line 1: byte 0x00 at column 3 is not utf-16; name the encoding of the file with
  --encoding
@ r.jsonl PAR1\x15\xff\x00
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl: not text but Parquet; give --records-format parquet
@ r.jsonl \n\n
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl: no records; expected at least one
@ r.json []
$ -x -n1 -r1 r.json
3 Error: r.json: no records; expected at least one
@ r.csv prediction,references\n
$ -x -n1 -r1 r.csv
3 Error: r.csv: no records; expected at least one
@ r.tsv
$ -x -n1 -r1 r.tsv
3 Error: r.tsv: no records; expected at least one
@ r.parquet
$ -x -n1 -r1 r.parquet
3 Error: r.parquet: an empty file; expected a Parquet file
@ r.parquet prediction,references\n
$ -x -n1 -r1 r.parquet
3 Error: r.parquet: not Parquet; expected a Parquet file, or see --records-format
@ r.parquet PAR1 and then nothing
$ -x -n1 -r1 r.parquet
3 Error: r.parquet: truncated Parquet, its end is missing; fetch or write it again
@ r.jsonl.gz {}
$ -x -n1 -r1 r.jsonl.gz
3 Error: r.jsonl.gz: not gzip, though its name ends in .gz; expected a file of records, compressed
  with gzip
@ r.jsonl.gz
$ -x -n1 -r1 r.jsonl.gz
3 Error: r.jsonl.gz: an empty file, not gzip; expected a file of records, compressed with gzip
@ r.jsonl.gz \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabV*(JM\xc9L.\xc9\xcc\xcfS\xb2RPJT\xd2QP*JMK-
~ J\xcdKN-\x06\nE\x03\xc5bk\xb9\xaaG\x15RE!
$ -x -n1 -r1 r.jsonl.gz
3 Error: r.jsonl.gz: truncated gzip, it ends before its end; fetch or compress it again; expected a
  file of records
@ r.jsonl.gz \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabV*(JM\xc9L.\xc9\xcc\xcfS\xb2RPJT\xd2QP*JMK-
~ J\xcdKN-\x06\nE\x03\xc5bk\xb9\x00\x00\x00\x00\x00\x00\x00\x00\x00
$ -x -n1 -r1 r.jsonl.gz
3 Error: r.jsonl.gz: broken gzip: CRC check failed 0x0 != 0x73ea7758; fetch or compress it again;
  expected a file of records
""",
    "reports": r"""
@ sample
$ -n2 -a --report table --sort ROUGE-3 config.xml
2 Error: --sort: found 'ROUGE-3', expected a metric of this run (ROUGE-1, ROUGE-2, ROUGE-L), alone
  or with :R, :P or :F
$ -n2 -a --report markdown --sort ROUGE-3 config.xml
2 Error: --sort: found 'ROUGE-3', expected a metric of this run (ROUGE-1, ROUGE-2, ROUGE-L), alone
  or with :R, :P or :F
$ -n2 -a --report latex --sort ROUGE-3 config.xml
2 Error: --sort: found 'ROUGE-3', expected a metric of this run (ROUGE-1, ROUGE-2, ROUGE-L), alone
  or with :R, :P or :F
@ r.csv prediction,reference\na,a\n
@ n.md kept
$ r.csv --report html --notes n.md -o n.md
2 Error: -o/--output: n.md is an input of this run; name another file
@ empty/
$ --cite -m -e nowhere
3 Error: -e/--data-dir: 'nowhere' is not a directory; without -e the built-in word lists are used
""",
    "several_inputs": r"""
@ bart.jsonl {"id": "1", "prediction": "the cat sat", "reference": "the cat sat down"}\n{"id": "2",
  "prediction": "a dog", "reference": "the dog ran"}\n
@ pegasus.jsonl {"id": "2", "prediction": "the dog ran", "reference": "the dog ran"}\n
$ -n 1 -x bart.jsonl pegasus.jsonl
0 Warning: text 1: system pegasus has no prediction; the text does not count for it
@ bart.jsonl {"id": "1", "prediction": "the cat sat", "reference": "the cat sat down", "topic":
  "news"}\n{"id": "2", "prediction": "a dog", "reference": "the dog ran", "topic": "news"}\n
@ pegasus.jsonl {"id": "2", "prediction": "the dog ran", "reference": "the dog ran", "topic":
  "sport"}\n{"id": "1", "prediction": "down", "reference": "the cat sat down", "topic": "sport"}\n
$ -n 1 --cluster topic bart.jsonl pegasus.jsonl
3 Error: pegasus.jsonl, line 1: text 2: 'topic' is 'sport', and 'news' before; expected the same for
  every system of a text
+ Error: pegasus.jsonl, line 2: text 1: 'topic' is 'sport', and 'news' before; expected the same for
  every system of a text
""",
    "soft": r"""
@ bad.txt car 1 2\nbus 1\n
@ glove.txt car 1 0\nauto 0.8 0.6\ncab 0.6 0.8\ndog 0 1\n
@ records.jsonl {"prediction": "a", "reference": "a"}\n
$ -n 1 --soft glove.txt records.jsonl
2 Error: --soft and --soft-threshold go together; give both, for example --soft vectors.txt
  --soft-threshold 0.7 (no threshold suits every table)
$ -n 1 --soft-threshold 0.7 records.jsonl
2 Error: --soft and --soft-threshold go together; give both, for example --soft vectors.txt
  --soft-threshold 0.7 (no threshold suits every table)
$ --soft glove.txt --soft-threshold 0.7 records.jsonl
2 Error: --soft needs -n/--max-ngram, for example -n 2
$ -n1 --soft glove.txt --soft-threshold nan records.jsonl
2 Error: --soft-threshold: found 'nan', expected a finite number
$ -n1 --soft glove.txt --soft-threshold 1e999 records.jsonl
2 Error: --soft-threshold: found '1e999', expected a finite number
$ -n1 --soft none.txt --soft-threshold 0.7 records.jsonl
3 Error: none.txt: cannot be read as word vectors: No such file or directory
$ -n1 --soft bad.txt --soft-threshold 0.7 records.jsonl
3 Error: bad.txt: not a table of word vectors: line 2: found 1 numbers, expected 2
""",
    "spellings": r"""
@ sample
$ --metrics 2 config.xml
2 Error: No such option '--metrics'. (Did you mean '-n/--max-ngram 2, --lcs'?)
$ --metrik 2 config.xml
2 Error: No such option '--metrik'. (Did you mean '-n/--max-ngram 2, --lcs'?)
$ --refernces 2 config.xml
2 Error: No such option '--refernces'. (Did you mean '--references'?)
$ --ngram 2 config.xml
2 Error: No such option '--ngram'. (Did you mean '--max-ngram'?)
$ --zzzz 2 config.xml
2 Error: No such option '--zzzz'.
$ -n1 config.xml nueral
2 Error: no system 'nueral' in CONFIG; did you mean 'neural'?
$ --language chinese config.xml lead
2 Error: --language: found 'chinese', expected a BCP 47 tag, such as de, zh or pt-BR; chinese has
  the tag zh
$ --language qqq config.xml lead
2 Error: --language: found 'qqq', expected a BCP 47 tag, such as de, zh or pt-BR; no language has
  the code qqq
$ --peers 'x\o(\d+)' --models y
2 Error: --peers 'x\o(\d+)': not a regular expression of Python: bad escape \o, at character 2;
  folders are separated by /, and a backslash itself is \\ there
$ --language zh -m config.xml lead
2 Error: -m/--stem: no stemmer for --language zh; there is one for ar, ca, cs, da, de, el, en, eo,
  es, et, eu, fa, fi, fr, ga, hi, hu, hy, id, it, lt, nb, ne, nl, nn, no, pl, pt, ro, ru, sr, st,
  sv, ta, tr, yi; --no-stem scores words as they are
""",
    "thresholds": r"""
@ sample
$ -n 2 -x -m -a config.xml --require best:ROUGE-2:F>=0.1
2 Error: --require: 'best:ROUGE-2:F>=0.1': no system 'best' in this run; the systems are: extract,
  lead, neural
$ -n 2 -x -m -a config.xml --report junit
2 Error: --report junit has a test for each requirement: give --require or --baseline
@ base 0.4
@ r.csv prediction,reference\na,a\n
$ -n1 -x r.csv --baseline base --not-worse-than 0.2
3 Error: base: neither a JSON report nor saved scores; make a baseline with: rouge-cli ... -d
  --report json -o baseline.json, or --save baseline.jsonl
$ -n1 -x r.csv --baseline missing --not-worse-than 0.2
3 Error: missing: no such file; expected the scores of an earlier run; make a baseline with:
  rouge-cli ... -d --report json -o baseline.json, or --save baseline.jsonl
""",
    "nothing to score": r"""
@ p/1.txt,m/2.A.txt,p/D1.M.9.J.1,m/D2.M.9.J.A a b\n
$ -n1 --peers 'p/(\d+)\.txt' --models 'm/#ID#\.[A-Z]\.txt' --unpaired error
3 Error: p/1.txt (text 1): a prediction without a reference
+ Error: m/2.A.txt: a reference without a prediction
+ Error: no text has both a prediction and a reference: nothing to score
$ -n1 --peers 'p/(\d+)\.txt' --models 'm/#ID#\.[A-Z]\.txt' --unpaired skip
3 Error: p/1.txt (text 1): a prediction without a reference
+ Error: m/2.A.txt: a reference without a prediction
+ Error: no text has both a prediction and a reference: nothing to score
$ -n1 --duc p m --unpaired error
3 Error: p/1.txt: no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction,
  D061.M.100.J.A for a reference
+ Error: m/2.A.txt: no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction,
  D061.M.100.J.A for a reference
+ Error: p/D1.M.9.J.1 (text D1.M.9.J): a prediction without a reference
+ Error: m/D2.M.9.J.A: a reference without a prediction
+ Error: no text has both a prediction and a reference: nothing to score
@ p/1.txt,p/a\nb.txt,m/1.A.txt,m/a\nb.A.txt a b\n
$ -n1 --peers 'p/(\d+)\.txt' --models 'm/#ID#\.[A-Z]\.txt'
3 Error: 'm/a\nb.A.txt': a reference without a prediction
+ Error: 1 file is unpaired; correct the names or the patterns, or use --unpaired skip
$ -n1 --peers 'p/([\s\S]+)\.txt' --models 'm/#ID#\.[A-Z]\.txt'
3 Error: 'p/a\nb.txt': the ID of the text is 'a\nb' by --peers 'p/([\s\S]+)\.txt'; expected some
  characters, none of them a control character
+ Error: 'm/a\nb.A.txt': a reference without a prediction
+ Error: 1 file is unpaired; correct the names or the patterns, or use --unpaired skip
@ p/1.txt,p/2.txt,m/1.txt,m/3.txt A cat.\n
@ a.txt one\n
@ b.txt
$ p m
3 p and m: taken for folders of texts, paired by name; --dry-run shows the pairs
+ Error: p/2.txt (text 2): a prediction without a reference
+ Error: m/3.txt: a reference without a prediction
+ Error: 2 files are unpaired; correct the names or the patterns, or use --unpaired skip
$ p m --unpaired skip
0 p and m: taken for folders of texts, paired by name; --dry-run shows the pairs
+ Warning: p/2.txt (text 2): a prediction without a reference; left out
+ Warning: m/3.txt: a reference without a prediction; left out
$ a.txt b.txt
3 Error: b.txt: an empty file; expected texts
$ b.txt a.txt
3 Error: b.txt: an empty file; expected texts
@ r.csv id,system,prediction,reference\n1,a,x,x\n1,source,x,x\n2,a,x,x\n
$ context r.csv --sources source
3 Error: text 2: no source: system 'source' has no prediction
""",
    "sentences on a line": r"""
@ most.csv prediction,reference\nIt sat. It ran late. He saw it.,It ran. It sat late. He saw it.\nIt
  sat. It ran late. He saw it.,It ran. It sat late. He saw it.\nit sat,it sat\n
@ half.csv prediction,reference\nIt sat. It ran late. He saw it.,It ran. It sat late. He saw it.\nit
  sat,it sat\n
$ --lcs -r0 --report csv most.csv
0 Warning: 4 of 6 texts are a single sentence with ends of sentences inside, the first text 1:
  most.csv, line 2: ROUGE-L and ROUGE-W depend on where sentences end; find them with --sentences en
  or another language, say what stands between them with --sentence-separator, or ask for the
  ROUGE-L of whole texts, which others call rougeL, with --lcs-unit text
$ -n 1 -x -r0 --report csv most.csv
0
$ --lcs --lcs-unit text -r0 --report csv most.csv
0
$ --lcs -r0 --report csv half.csv
0
""",
    "many": r"""
@ r.jsonl*1200 {"prediction": "a", "references": ["b"]}\n
$ -n 1 --jackknife r.jsonl
3 Error: text 1, text 2, text 3 and 1197 more: one reference; jackknifing leaves one out, so it
  needs at least two
@ r.jsonl {"prediction": "a", "references": ["b"]}\n
@ r.jsonl*1199 {"prediction": "a", "references": ["b", "b"]}\n
@ r.jsonl*1 {"prediction": "a", "references": ["b", "b", "b"]}\n
$ convert r.jsonl --to lines -o out
3 Error: text 2, text 3, text 4 and 1197 more: more or fewer references, but text 1 has 1; line
  files need as many in each: use --to jsonl or --to xml
@ r.jsonl*1200 {"id": {k}, "prediction": "a b", "references": ["a c"]}\n{"id": {k}, "prediction":
  "a b", "references": ["a c"]}\n
$ -x -n1 -r1 r.jsonl
3 Error: r.jsonl, line 2, line 4, line 6 and 1197 more: a duplicate of an earlier record; expected
  each ID once; if there are several systems, name their field with --system
@ c.xml <R>
@ c.xml*1200 <EVAL ID="{k}"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT><INPUT-FORMAT
  TYPE="SPL"/><PEERS><P ID="a">{k}</P></PEERS><MODELS><M ID="A">{k}</M></MODELS></EVAL>\n
@ c.xml*1 </R>
$ -a c.xml
3 Error: c.xml, line 1, text 0: p/0; line 1, text 0: m/0; line 2, text 1: p/1 and 2397 more: no such
  file
@ c.xml <R>
@ c.xml*1200 <EVAL ID="{k}"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT><INPUT-FORMAT
  TYPE="SPL"/><PEERS><P ID="a">{k}</P></PEERS></EVAL>\n
@ c.xml*1 </R>
@ files.lst*1200 p/{k}\n
$ -a c.xml
3 Error: c.xml, line 1, EVAL 0; line 2, EVAL 1; line 3, EVAL 2 and 1197 more: no MODELS; an EVAL
  needs at least one <M ID="...">file name</M>
$ -z SPL files.lst
3 Error: files.lst, line 1, line 2, line 3 and 1197 more: one path only; expected the path of the
  prediction and of at least one reference, with blanks between them
""",
}
