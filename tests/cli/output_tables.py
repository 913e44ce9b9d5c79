"""What runs print, by topic; tests/cli/messages.py says how to read the tables.

Expected counts and scores are worked by hand.
"""

TABLES = {
    "dry runs": r"""
# 2 sentences, for an empty line is none, and 5 words: one, two, three, caf, s. A blank is one
# sentence, without a word.
@ p/1.a.txt one two-three\n\ncafés\n
@ p/1.b.txt  \n
@ p/2.a.txt The end.
@ m/1.txt one\ntwo\nthree
@ m/2.txt
@ f.lst p/1.a.txt m/1.txt\np/2.a.txt m/1.txt\n
@ config.xml <R><EVAL ID="1"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT><INPUT-FORMAT
  TYPE="SPL"/><PEERS><P ID="a">1.a.txt</P><P ID="b">1.b.txt</P></PEERS><MODELS><M
  ID="A">1.txt</M><M ID="B">2.txt</M></MODELS></EVAL><EVAL ID="2"><PEER-ROOT>p</PEER-ROOT>
  <MODEL-ROOT>m</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="a">2.a.txt</P></PEERS>
  <MODELS><M ID="A">1.txt</M></MODELS></EVAL></R>
$ --dry-run -a config.xml
0
| text  role          sentences  words  file
| ───────────────────────────────────────────────────
| 1     prediction a          2      5  p/1.a.txt
| 1     prediction b          1      0  p/1.b.txt
| 1     reference 1           3      3  m/1.txt
| 1     reference 2           0      0  m/2.txt
| 2     prediction a          1      2  p/2.a.txt
| 2     prediction b          -      -  no prediction
| 2     reference 1           3      3  m/1.txt
|
| No words: text 1: p/1.b.txt
| No words: text 1: m/2.txt
| 2 texts, 2 systems, 1 to 2 references each, 3 predictions; predictions: 4 sentences, 7 words;
  references: 6 sentences, 6 words
$ --dry-run config.xml b
0
| text  role          sentences  words  file
| ───────────────────────────────────────────────
| 1     prediction b          1      0  p/1.b.txt
| 1     reference 1           3      3  m/1.txt
| 1     reference 2           0      0  m/2.txt
|
| No words: text 1: p/1.b.txt
| No words: text 1: m/2.txt
| 1 text, 1 system, 2 references each, 1 prediction; predictions: 1 sentence, 0 words; references: 3
  sentences, 3 words
# Limits and stopwords come later.
$ --dry-run -l 1 -s -m -n 2 -a config.xml
0
> 1     prediction a          2      5  p/1.a.txt
$ --dry-run -z SPL f.lst
0
| text  role          sentences  words  file
| ───────────────────────────────────────────────
| 1     prediction X          2      5  p/1.a.txt
| 1     reference 1           3      3  m/1.txt
| 2     prediction X          1      2  p/2.a.txt
| 2     reference 1           3      3  m/1.txt
|
| 2 texts, 1 system, 1 reference each, 2 predictions; predictions: 3 sentences, 7 words; references:
  6 sentences, 6 words
$ --dry-run --peers 'p/(\d+)\.(?P<system>a)\.txt' --models m/#ID#.txt
0
> 1     prediction a          2      5  p/1.a.txt
> 1     reference 1           3      3  m/1.txt
@ p a b<q>c\n\n
@ m x<q>y\nz\n
$ --dry-run --peer-lines p --model-lines m --sentence-separator <q>
0 Warning: m: 1 of 2 texts has no '<q>', the first on line 2: each counts as one sentence, which
  changes ROUGE-L and ROUGE-W
| text  role          sentences  words  file
| ───────────────────────────────────────────────
| 1     prediction X          2      3  p, line 1
| 1     reference 1           2      2  m, line 1
| 2     prediction X          0      0  p, line 2
| 2     reference 1           1      1  m, line 2
|
| No words: text 2: p, line 2
| 2 texts, 1 system, 1 reference each, 2 predictions; predictions: 2 sentences, 3 words; references:
  3 sentences, 3 words
@ r.jsonl {"id": "d1", "system": "s", "prediction": ["a b", "c"], "references": ["x", "y z"]}\n
$ --dry-run r.jsonl
0
| text  role          sentences  words  file
| ─────────────────────────────────────────────────────
| d1    prediction s          2      3  r.jsonl, line 1
| d1    reference 1           1      1  r.jsonl, line 1
| d1    reference 2           1      2  r.jsonl, line 1
|
| 1 text, 1 system, 2 references each, 1 prediction; predictions: 2 sentences, 3 words; references:
  2 sentences, 3 words
@ p,m <html>\nno sentence\n<a name="1">[1]</a> <a href="#1" id=1>Two words.</a>\n
@ f.lst p m\n
$ --dry-run -z SEE f.lst
0
> 1     prediction X          1      2  p
@ p,m dog|big|mod\nruns|nil|nil\n
@ f.lst p m\n
$ --dry-run -3 HM -z SIMPLE f.lst
0
| text  role          elements  words  file
| ─────────────────────────────────────────
| 1     prediction X         2      6  p
| 1     reference 1          2      6  m
|
| 1 text, 1 system, 1 reference each, 1 prediction; predictions: 2 elements, 6 words; references: 2
  elements, 6 words
""",
    "word lists": r"""
# Built in: the and a are stopwords, and went is go, which is too short to be stemmed itself. So ran
# is in both; with stems go too; and go and went are stopwords, which go before stems.
@ peer the went ran\n
@ model a go ran\n
@ list peer model\n
@ stop/smart_common_words.txt ran\nwent\n
# Read in the order adj, noun, verb, adv, a later entry replacing an earlier one.
@ stems/WordNet-2.0-Exceptions/adj.exc
@ stems/WordNet-2.0-Exceptions/noun.exc went ran\n
@ stems/WordNet-2.0-Exceptions/verb.exc went dog\n
@ stems/WordNet-2.0-Exceptions/adv.exc went a more words\n
@ database/WordNet-2.0.exc.db \0\1
@ nothing/
@ own ran\nwent\n
$ -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
$ -m -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 2
$ -m -s -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 1 P_count: 1 H_count: 1
# Scripts written for the original name a directory in every run.
$ -e gone -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
$ -e gone -m -n1 -x -t2 -z SPL list
3 Error: -e/--data-dir: 'gone' is not a directory; without -e the built-in word lists are used
$ -e gone -M -n1 -x -t2 -z SPL list
3 Error: -e/--data-dir: 'gone' is not a directory; without -e the built-in word lists are used
$ -e gone -s -n1 -x -t2 -z SPL list
3 Error: -e/--data-dir: 'gone' is not a directory; without -e the built-in word lists are used
# ran and went are left out: "the" faces "a go".
$ -e stop -s -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 2 P_count: 1 H_count: 0
$ -s --stopwords own -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 2 P_count: 1 H_count: 0
$ -e stop -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
# went is a, by the last list: "the a ran" faces "a go ran".
$ -e stems -m -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 2
$ -e database -m -n4 -2 4 -x -t2 -z SPL list
0 Warning: database/WordNet-2.0.exc.db: not read; the built-in exception table is used
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 2
$ -e database -n1 -x -t2 -z SPL list
0
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
$ -e nothing -m -s -n1 -x -t2 -z SPL list
0 Warning: nothing/smart_common_words.txt: no such file; the built-in stopwords are used
+ Warning: nothing/WordNet-2.0-Exceptions: no *.exc files; the built-in exception table is used
> X ROUGE-1 M_count: 1 P_count: 1 H_count: 1
# Without adv.exc went is dog.
@ peer the went ran\n
@ model a go ran\n
@ list peer model\n
@ stems/WordNet-2.0-Exceptions/adj.exc
@ stems/WordNet-2.0-Exceptions/noun.exc went ran\n
@ stems/WordNet-2.0-Exceptions/verb.exc went dog\n
$ -e stems -m -n1 -x -t2 -z SPL list
0 Warning: stems/WordNet-2.0-Exceptions/adv.exc: no such file; the exception table lacks its entries
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
@ peer the went ran\n
@ model a go ran\n
@ list peer model\n
@ stop/smart_common_words.txt,own \n \n
@ folder/smart_common_words.txt/
@ stems/WordNet-2.0-Exceptions/adj.exc,stems/WordNet-2.0-Exceptions/noun.exc went\n
@ stems/WordNet-2.0-Exceptions/verb.exc,stems/WordNet-2.0-Exceptions/adv.exc went\n
$ -e stop -s -n1 -x -t2 -z SPL list
0 Warning: stop/smart_common_words.txt: no words in it; no stopwords are removed
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
$ -s --stopwords own -n1 -x -t2 -z SPL list
3 Error: own: no words in it; expected stopwords, one a line
$ -e folder -s -n1 -x -t2 -z SPL list
3 Error: folder/smart_common_words.txt: cannot be read as a word list: Is a directory
# went is not go any more.
$ -e stems -m -n1 -x -t2 -z SPL list
0 Warning: stems/WordNet-2.0-Exceptions: no exceptions in it; none are used
> X ROUGE-1 M_count: 3 P_count: 3 H_count: 1
""",
    "empty texts": r"""
@ r.csv id,system,prediction,m,n\n1,a,the brown cat,the brown cat,the brown cat\n1,b,the brown
  cat,the brown cat,the brown cat\n2,a,...,the brown cat,the brown cat\n2,b,the brown cat,the brown
  cat,the brown cat\n3,a,the brown cat,the brown cat,-\n3,b,the brown cat,the brown cat,-\n
# a: 1, 0, and in text 3 hits 3 of 3 words of references and of 6 of predictions, F = 2 * 1 * 0.5 /
# 1.5: 0.66667.
$ r.csv --references m --references n -n1 -x -r0 --report csv
0 Warning: 1 text has references without words beside others, the first text 3 (1 of 2): each counts
  as a reference, which divides precision by the number of all; leave such references out
+ Warning: text 2: r.csv, line 4: no tokens
+ Warning: text 3: r.csv, line 6: no tokens
> a,ROUGE-1,f_measure,,3,0.55555
> b,ROUGE-1,f_measure,,3,0.88889
$ r.csv --references m --references n -n1 -x -r0 --report csv --empty skip
0 Warning: text 2: r.csv, line 4: no tokens; left out
+ Warning: text 3: r.csv, line 6: no tokens; all of its text is left out
> a,ROUGE-1,f_measure,,1,1.0,
> b,ROUGE-1,f_measure,,2,1.0,
$ r.csv --references m --references n -n1 --empty error
3 Error: text 2: r.csv, line 4: no tokens
+ Error: text 3: r.csv, line 6: no tokens
# Text 3 without its empty reference is one set that stays; without the other one, it goes.
@ r.csv id,prediction,m,n\n1,the cat,the cat,the cat\n3,the cat,the cat,-\n
$ r.csv --references m --references n -n1 -x -r0 --report csv --jackknife --empty skip --jobs 1
0 Warning: text 3: r.csv, line 3: no tokens; all of its text is left out
> r,ROUGE-1,f_measure,,2,1.0,
$ r.csv --references m --references n -n1 -x -r0 --report csv --jackknife --empty skip --jobs 2
0 Warning: text 3: r.csv, line 3: no tokens; all of its text is left out
> r,ROUGE-1,f_measure,,2,1.0,
@ r.csv id,system,prediction,reference\n1,a,x,x\n4,c,,x\n5,d,!,x\n
$ r.csv -n1 --empty skip
3 Error: nothing is left to score of: c, d
@ empty
@ good a|b|c\n
@ list empty good\n
$ -3 HM -d -z SIMPLE list
0 Warning: text 1: empty: no tokens
> X ROUGE-BE-HM Eval 1.X R:0.00000 P:0.00000 F:0.00000
""",
    "inputs": r"""
@ none,text a b c\n
@ c.xml <R><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT
  TYPE="SPL"/><PEERS><P ID="one">text</P></PEERS><MODELS><M ID="A">./text</M></MODELS></EVAL>
  <EVAL ID="2b"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/><PEERS>
  <P ID="one">text</P><P ID="two">text</P></PEERS><MODELS><M ID="A">./text</M></MODELS></EVAL></R>
@ no.xml <R><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT
  TYPE="SPL"/><PEERS></PEERS><MODELS><M ID="A">./text</M></MODELS></EVAL></R>
# Once, however many metrics there are. Of two texts one counts for it, and it is perfect there.
$ -n 4 -w 1.2 -2 4 -U -d -r1 -a c.xml
0 Warning: text 1: system two has no prediction; the text does not count for it
> two ROUGE-1 Average_R: 1.00000
> two ROUGE-1 Eval 2b.two R:1.00000
$ -r1 c.xml one
0
$ -r1 c.xml two
0 Warning: text 1: system two has no prediction; the text does not count for it
$ no.xml
3 Error: no.xml: no EVAL has a prediction; name at least one, <P ID="...">file name</P>
$ no.xml -a
3 Error: no.xml: no EVAL has a prediction; name at least one, <P ID="...">file name</P>
$ no.xml one
3 Error: no.xml: no EVAL has a prediction; name at least one, <P ID="...">file name</P>
# Each system has the texts of 'a', but 'b', whose second text has the same scores.
@ r.csv system,id,prediction,references\na,1,the 1,the 1\na,2,the 2,the 2\nA,1,the 1,the 1\nA,2,the
  2,the 2\n a,1,the 1,the 1\n a,2,the 2,the 2\nc,1,the 1,the 1\nc,2,the 2,the 2\nb,1,the 1,the
  1\nb,2,the-2,the 2\n
$ -n1 r.csv
0 Warning: 2 names differ from that of another system in case or blanks alone, the first 'A' from '
~  a': each is scored as a system of its own; spell them alike if one system is meant
+ Warning: 3 systems have the predictions of another one in every text, the first 'A' those of '
~  a': their scores are the same; give the predictions that are meant, or leave one of the systems
  out
@ t a b\n
@ u a c\n
@ list t u\nu t u\nt t\n
@ many t t t t\n
$ -n1 -z SPL list
0 Warning: 2 predictions are references of their text too, the first in text 2: u: such a prediction
  is measured against itself; name another file as prediction or as reference
# Three references of one file: counts of 2, three times.
$ -n1 -x -t2 -z SPL many
0 Warning: 1 prediction is a reference of its text too, the first in text 1: t: such a prediction is
  measured against itself; name another file as prediction or as reference
> X ROUGE-1 M_count: 6 P_count: 6 H_count: 6
""",
    "folders": r"""
@ p/1 a|b|c\n
@ m/1 a|b|c\nd|e|f\n
$ -3 HM -t2 --peers p/(.) --models m/#ID# --input-format SIMPLE
0
> X ROUGE-BE-HM M_count: 2 P_count: 1 H_count: 1
$ -3 HM --peers p/(.) --models m/#ID#
3 Error: folders, text 1: format SPL has no Basic Elements; -3 expects SIMPLE
@ p/a/1,p/b/2,m/1 a b\n
$ -n1 --peers p/(?P<system>.)/(.) --models m/#ID# --unpaired skip --report csv -r0
0 Warning: p/b/2 (text 2): a prediction without a reference; left out
+ Warning: system b: no prediction with a reference; not scored
> a,ROUGE-1,recall,,1,1.0
""",
    "jackknifing": r"""
# Without the first reference: hits 2 (c d) + 1 (a) of 4 + 5 = 3/9, precision 3/8; without the
# second 2 + 1 of 2 + 5 = 3/7 and 3/8; without the third 2 + 2 of 2 + 4 = 4/6 and 4/8. The means are
# (0.33333 + 0.42857 + 0.66667) / 3 and 1.25 / 3. Of humans: A = a b against B and C has no hit of
# B, a with C: recall 1 / (4 + 5), precision 1 / (2 + 2); B has nothing in common with A and C; C
# has a of A: 1 / (2 + 4), and 1 / 10.
@ r.jsonl {"id": "1", "system": "us", "prediction": "a b c d", "references": ["a b", "c d e f", "a x
  y z w"]}\n
$ -n1 -x -r0 --jackknife --humans --report csv r.jsonl
0
> us,ROUGE-1,recall,,1,0.47619
> us,ROUGE-1,precision,,1,0.41666666
> A,ROUGE-1,recall,,1,0.11111
> A,ROUGE-1,precision,,1,0.25
> B,ROUGE-1,recall,,1,0.0
> B,ROUGE-1,precision,,1,0.0
> C,ROUGE-1,recall,,1,0.16667
> C,ROUGE-1,precision,,1,0.1,
""",
    "records": r"""
# Texts without IDs are numbered for each system.
@ r.csv system,prediction,reference\nb,a,a\na,b,a\na,c,c\nb,d,c\n
$ -x -n1 -r1 -d --report classic r.csv
0
> a ROUGE-1 Eval 1.a R:0.00000
> a ROUGE-1 Eval 2.a R:1.00000
> b ROUGE-1 Eval 1.b R:1.00000
> b ROUGE-1 Eval 2.b R:0.00000
# Of a file without a name of a system, the file is the name, as among several.
@ r.csv prediction,reference\na b,a c\n
$ -x -n1 -r1 --report classic r.csv
0
> r ROUGE-1 Average_R: 0.50000
$ -x -n1 -r1 --report classic mine=r.csv
0
> mine ROUGE-1 Average_R: 0.50000
@ sample
$ records.jsonl mine
2 Error: 'mine' is neither a file nor a system of records.jsonl; its systems are: extract, lead,
  neural; to name the only system of a file, give NAME=FILE
@ t.csv Output,OUTPUT,reference\na,b,b\n
$ -n1 -x --report classic t.csv --prediction OUTPUT
0
> t ROUGE-1 Average_R: 1.0
$ -n1 -x t.csv --prediction output
3 Error: t.csv, line 2: no field 'output'; the record has: Output, OUTPUT, reference
""",
}
