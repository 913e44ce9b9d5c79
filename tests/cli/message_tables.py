"""The messages, by topic; tests/cli/messages.py says how to read the tables."""

TABLES = {
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
2 Error: -o/--output: --to lines writes a folder, not to standard output; name a new one
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
""",
    "crashes": r"""
@ r.tsv a\x00b\x00\n\x00
$ r.tsv --encoding utf-16
3 Error: r.tsv: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le
  or utf-16-be
@ p a\x00b\x00\n\x00
$ --peer-lines p --model-lines p --encoding utf-16
3 Error: p: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le or
  utf-16-be
@ r.tsv a\x00b\x00\x00\xdca\x00
$ r.tsv --encoding utf-16
3 Error: r.tsv: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le
  or utf-16-be
@ p a\x00b\x00\x00\xdca\x00
$ --peer-lines p --model-lines p --encoding utf-16
3 Error: p: no byte order mark at its start; expected one with utf-16, or --encoding utf-16-le or
  utf-16-be
""",
    "empty": r"""
@ m etre ne\n
@ p \xeatre n\xe9\n
$ -n1 --peer-lines p --model-lines m
0 Warning: 1 of 2 texts loses more than a tenth of its letters, the first EVAL 1: p, line 1 (2 of
  6); about 50% of all words lose letters: as in the original only A to Z and digits make words, so
  such scores say little; say which language it is, such as --language fr, or count the words of any
  script with --tokenizer unicode
""",
    "explain": r"""
@ sample
$ explain -n1 -x --eval 11 config.xml
2 Error: --eval: no EVAL '11' in the input; did you mean '1'?
$ explain -n1 -x --eval x config.xml
2 Error: --eval: no EVAL 'x' in the input; known are: 1, 2, 3, 4
$ explain -n1 -x --eval 1 config.xml leed
2 Error: no system 'leed' in the input; did you mean 'lead'?
$ explain -n1 -x --eval 1 --against x config.xml lead
2 Error: no system 'x' in the input; known are: extract, lead, neural
$ explain -n1 -x --worst 1 --against lead config.xml lead
2 Error: --against: 'lead' is the system itself; name another
$ explain -n1 -x config.xml
2 Error: 4 EVALs in the input; name one with --eval ID, such as 1, or choose by score with --worst N
  or --best N
$ explain -n1 -x --eval 1 --best 1 config.xml
2 Error: --eval and --best exclude each other; give one
$ explain -n1 -x --eval 1 --sort ROUGE-1 config.xml
2 Error: --sort is what --worst and --best go by; give one of them
$ explain -n1 -x --best 1 --sort ROUGE-9 config.xml
2 Error: --sort: found 'ROUGE-9', expected a metric of this run (ROUGE-1), alone or with :R, :P or
  :F
$ explain -n1 -x --eval 1 --jackknife config.xml
2 Error: --jackknife scores an EVAL several times, without one model each; leave it out: the score
  against each single model is shown anyway
""",
    "folders": r"""
@ m/D1.M.9.J.A,m/D2.M.9.J.A.html,p/D1.M.9.J.1,p/notes a b\n
$ -n1 --duc p m
3 Error: p/notes: no DUC or TAC name; expected such as D061.M.100.J.26 for a peer, D061.M.100.J.A
  for a model
+ Error: m/D2.M.9.J.A.html: a model without a peer
+ Error: 2 files are unpaired; mend the names or the patterns, or use --unpaired skip
$ -n1 --duc p m --unpaired skip
0 Warning: p/notes: no DUC or TAC name; expected such as D061.M.100.J.26 for a peer, D061.M.100.J.A
  for a model; left out
+ Warning: m/D2.M.9.J.A.html: a model without a peer; left out
@ m/1,m/2,p/a/1,p/a/2,p/b/1 a b\n
$ -n1 --peers 'p/(?P<system>.)/(.)' --models 'm/#ID#'
0 Warning: EVAL 2: system b has no peer; the EVAL does not count for it
@ m/1.A.txt,m/2.A.txt,p/1.txt,q/1,q/4 a b\n
$ -n1 --peers 's=p/(\d+)\.txt' --peers 's=q/(\d)' --models 'm/#ID#\.[A-Z]\.txt' --unpaired skip
3 Error: EVAL 1, system s: two peers, p/1.txt and q/1; expected one
$ -n1 --peers 's=p/(\d+)\.txt' --peers 's=q/(\d)' --models 'm/#ID#\.[A-Z]\.txt'
3 Error: EVAL 1, system s: two peers, p/1.txt and q/1; expected one
+ Error: q/4 (EVAL 4): a peer without a model
+ Error: m/2.A.txt: a model without a peer
+ Error: 2 files are unpaired; mend the names or the patterns, or use --unpaired skip
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
2 Error: --peers 'p/\d': no group for the ID of the EVAL; put parentheses around it, as in
  'system/(\d+)_decoded.txt', or write (?P<id>...)
$ -n1 --peers 'p/(\d)' --models 'm/\d'
2 Error: --models 'm/\d': no #ID#; write it where the ID of the EVAL stands, as in
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
0 Warning: EVAL 1: blank: no tokens
""",
    "jackknife": r"""
@ sample
$ jackknife records.jsonl
3 Error: EVAL 1, EVAL 2, EVAL 3 and 1 more: its texts are not separate files; make some first:
  rouge-cli convert --to xml
@ D1.M.9.J.1.html <html><body>\n<a name="1">[1]</a> <a href="#1" id=1>a b</a>\n</body></html>\n
@ D1.M.9.J.A,D1.M.9.J.B a\n
$ jackknife --duc . .
3 Error: EVAL D1.M.9.J: texts in several formats, but an EVAL must have one; convert them first:
  rouge-cli convert --to xml
""",
    "languages": r"""
@ list peer model\n
@ model \xc3\xa4\n\n\nsch\xc3\xb6n\nsch\xf6n\n
@ peer Gr\xc3\xb6\xc3\x9fere H\xc3\xa4user.\n
$ --language de -n1 -z SPL list
3 Error: EVAL 1: model: byte 0xF6 at offset 15 is not UTF-8, which the options under Language need;
  save it as UTF-8
$ --language de --dry-run -n1 -z SPL list
3 Error: EVAL 1: model: byte 0xF6 at offset 15 is not UTF-8, which the options under Language need;
  save it as UTF-8
@ list peer model\n
@ model <html>\n<a name="1">[1]</a> <a href="#1" id=1>Gr\xfcn</a>\n
@ peer <a name="1">[1]</a> <a href="#1" id=1>a</a>\n
$ --language de -n1 -z SEE list
3 Error: EVAL 1: model: byte 0xFC at offset 47 is not UTF-8, which the options under Language need;
  save it as UTF-8
@ list peer model\n
@ model Das gr\xc3\xb6\xc3\x9fere Haus.\n
@ models a\nb\n
@ peer Gr\xc3\xb6\xc3\x9fere H\xc3\xa4user.\n
@ peers a\ngr\xfcn\n
$ --language de --peer-lines peers --model-lines models -n1
3 Error: EVAL 2: peers, line 2: byte 0xFC at offset 2 is not UTF-8, which the options under Language
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
  sv, ta, tr, yi; leave -m out to score words as they are
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
2 Error: --peer-lines and --model-lines go together; give both
$ --model-lines m
2 Error: --peer-lines and --model-lines go together; give both
$ --peer-lines p --model-lines m config.xml
2 Error: CONFIG 'config.xml' and --peer-lines exclude each other; give one
$ --peer-lines - --model-lines -
2 Error: - (standard input) stands 2 times in --peer-lines and --model-lines; it can be read once
$ --peer-lines a=- --peer-lines b=- --model-lines m
2 Error: - (standard input) stands 2 times in --peer-lines and --model-lines; it can be read once
$ --peer-lines p --model-lines m -z SPL
2 Error: -z/--list-format and --peer-lines exclude each other
$ --peer-lines p --model-lines m -3 HM
2 Error: -3/--basic-elements is for files in the format SIMPLE, not for line files
$ --peer-lines p --model-lines m --peer-lines a=p
2 Error: --peer-lines: expected NAME=FILE for each of several files, found 'p'
$ --peer-lines a=p --peer-lines a=m --model-lines m
2 Error: --peer-lines: expected a name for each file of its own, found 'a' twice
$ --peer-lines =p --model-lines m
2 Error: --peer-lines: expected NAME=FILE for each of several files, found '=p'
$ --peer-lines a= --model-lines m
2 Error: --peer-lines: expected NAME=FILE for each of several files, found 'a='
$ --peer-lines p --model-lines m --sentence-separator ' '
2 Error: --sentence-separator: found ' ', expected a string that is not blank
$ --peer-lines '' --model-lines m
2 Error: --peer-lines: found '', expected a path
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
3 Error: line files of different lengths: p has 2; m has 1; expected as many lines in each
@ m a\n
@ p
$ --peer-lines p --model-lines m
3 Error: line files of different lengths: p has 0; m has 1; expected as many lines in each
@ m,p
$ --peer-lines p --model-lines m
3 Error: p: an empty file; expected a text a line
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
0 Warning: 1 file of peers is among the models too, the first p: each text is measured against
  itself; name another file with --peer-lines or --model-lines
+ Warning: p: 1 of 2 texts has no '<q>', the first on line 1: each counts as one sentence, which
  changes ROUGE-L and ROUGE-W
@ m a b\nc x\n
@ m.gz,p a b\nc d\n
@ p.gz \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc57\x01\x00\x00\x08\x00\xa0\xdf\x14Vs\xf4\xcf`
~ \x10\xe1\xa1\xb2cr\xa3l\xdb
$ --peer-lines p.gz --model-lines m.gz
3 Error: p.gz: truncated gzip, it ends before its end; fetch or compress it again; expected a text a
  line
+ Error: m.gz: not gzip, though its name ends in .gz; expected a text a line, compressed with gzip
@ m \xff\n
@ p a\nb caf\xe9\n
$ --peer-lines p --model-lines m --encoding utf-8
3 Error: p, line 2: byte 0xE9 at column 6 is not utf-8; give the encoding of the file with
  --encoding, or leave --encoding out to take its bytes as they are
+ Error: m, line 1: byte 0xFF at column 1 is not utf-8; give the encoding of the file with
  --encoding, or leave --encoding out to take its bytes as they are
$ --peer-lines p --model-lines p --encoding latin-1
0 Warning: 1 file of peers is among the models too, the first p: each text is measured against
  itself; name another file with --peer-lines or --model-lines
+ Warning: 2 of 4 texts lose more than a tenth of their letters, the first EVAL 2: p, line 2 (1 of
  5); about 33% of all words lose letters: as in the original only A to Z and digits make words, so
  such scores say little; say which language it is, such as --language fr, or count the words of any
  script with --tokenizer unicode
@ m \x00a\x00\n\x00b
@ p a\nb\n\x00\n
$ --peer-lines p --model-lines m
3 Error: p, line 3: a zero byte; expected text, a text a line; UTF-16 needs --encoding utf-16
+ Error: m, line 1: a zero byte; expected text, a text a line; UTF-16 needs --encoding utf-16
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
  behind the name of a figure and '=': forest, differences, distributions, wins, agreement, power,
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
2 Error: --page-field is for --report html, where its page lists EVALs
$ compare --page-field x config.xml
2 Error: --page-field is for --report html, where its page lists EVALs
$ compare --run seed --page-field x --report html config.xml
2 Error: --page-field is for --report html, where its page lists EVALs
$ -a --page-field x --page-field x config.xml
2 Error: --page-field: a field is given twice; give each once
$ -a --page-source x config.xml
2 Error: --page-source is for --report html, where its page lists EVALs
$ -a --page-source x --no-texts --report html config.xml
2 Error: --page-source and --no-texts exclude each other; give one
$ -a --page-field x --page-source x config.xml
2 Error: --page-field: a field is given twice; give each once
$ compare --no-texts config.xml
2 Error: --no-texts is for --report html
$ compare --no-figures config.xml
2 Error: --no-figures is for --report html
""",
    "protocols": r"""
@ r.jsonl {"prediction": "the cat sat. on the mat", "references": ["the cat sat on the
  mat"]}\n{"prediction": "b c", "references": ["b c d"]}
$ --protocol ignite r.jsonl
0 Warning: ignite: with alpha 0 F is recall
$ --protocol ignite:alpha=0.5 r.jsonl
0
$ --protocol sumeval r.jsonl
0 Warning: sumeval: stopwords are removed, as by default in the package
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
  files2rouge, pyrouge, presumm; did you mean rouge?
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
+ Warning: EVAL 3: r.jsonl, line 3: no tokens
$ r.json --sentence-separator '<q>'
0 Warning: r.json: 3 of 7 texts have no '<q>': each counts as one sentence, which changes ROUGE-L
  and ROUGE-W
+ Warning: EVAL 3: r.json, record 3: no tokens
$ -x -n1 -r1 r.jsonl --sentence-separator '<q>'
0 Warning: EVAL 3: r.jsonl, line 3: no tokens
@ r.jsonl {"prediction": "a<q>b", "reference": "a<q>c"}\n{"prediction": "a b", "reference": "a c"}\n
$ r.jsonl
0 Warning: r.jsonl: 2 of 4 texts hold '<q>': give --sentence-separator '<q>' if it stands between
  sentences
$ -x -n1 -r1 r.jsonl
0
@ r.csv prediction,references\na,"['a', 'b']"\n
$ -x -n1 -r1 r.csv
0 Warning: r.csv: 1 text is a list written as a string, the first at line 2: each counts as one
  text; save lists as JSONL or Parquet, or each model in a field of its own
@ r.csv prediction,references\na,"['a', 'b']"\n
@ r.json [{"prediction": "a", "reference": "b"}, {"prediction": "[\\"a\\", \\"b\\"]", "reference":
  "[['a']]"}]
$ -x -n1 -r1 r.json
0 Warning: r.json: 2 texts are lists written as a string, the first at record 2: each counts as one
  text; save lists as JSONL or Parquet, or each model in a field of its own
@ r.csv prediction,references\na,b\na,"[""a"", ""b""]"\na,"[""c""]"\n
@ r.json [{"prediction": "a", "reference": "b"}, {"prediction": "[\\"a\\", \\"b\\"]", "reference":
  "[['a']]"}]
$ -x -n1 -r1 r.csv
0 Warning: r.csv: 2 fields of references are JSON lists in a string, the first at line 3: each
  counts as one text; give --references-json to read each string of a list as a model
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
3 Error: r.csv, line 2: no references; name their field with --references; the record has:
  prediction, other
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
@ empty/
$ --cite -m -e nowhere
3 Error: -e/--data-dir: 'nowhere' is not a directory; without -e the built-in word lists are used
""",
    "several_inputs": r"""
@ bart.jsonl {"id": "1", "prediction": "the cat sat", "reference": "the cat sat down"}\n{"id": "2",
  "prediction": "a dog", "reference": "the dog ran"}\n
@ pegasus.jsonl {"id": "2", "prediction": "the dog ran", "reference": "the dog ran"}\n
$ -n 1 -x bart.jsonl pegasus.jsonl
0 Warning: EVAL 1: system pegasus has no peer; the EVAL does not count for it
@ bart.jsonl {"id": "1", "prediction": "the cat sat", "reference": "the cat sat down", "topic":
  "news"}\n{"id": "2", "prediction": "a dog", "reference": "the dog ran", "topic": "news"}\n
@ pegasus.jsonl {"id": "2", "prediction": "the dog ran", "reference": "the dog ran", "topic":
  "sport"}\n{"id": "1", "prediction": "down", "reference": "the cat sat down", "topic": "sport"}\n
$ -n 1 --cluster topic bart.jsonl pegasus.jsonl
3 Error: EVAL 2: another cluster in pegasus.jsonl than in bart.jsonl; expected the same for every
  system
+ Error: EVAL 1: another cluster in pegasus.jsonl than in bart.jsonl; expected the same for every
  system
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
2 Error: No such option '--metrics'. (Did you mean '--max-ngram'?)
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
  sv, ta, tr, yi; leave -m out to score words as they are
""",
}
