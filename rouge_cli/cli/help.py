"""What the long usage of ``score`` adds to its help."""

__all__ = ["LONG_HELP"]

LONG_HELP = """Formats of a text:
  SPL     a sentence a line
  SEE     <a name="1">[1]</a> <a href="#1" id=1>A sentence.</a>
  ISI     <S SNTNO="1">A sentence.</S>
  SIMPLE  HEAD|MODIFIER|RELATION, for -3 only

CONFIG as XML:
  <ROUGE-EVAL version="1.55">
    <EVAL ID="1">
      <PEER-ROOT>peers</PEER-ROOT>
      <MODEL-ROOT>models</MODEL-ROOT>
      <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
      <PEERS><P ID="mine">1.mine.txt</P></PEERS>
      <MODELS><M ID="A">1.A.txt</M><M ID="B">1.B.txt</M></MODELS>
    </EVAL>
  </ROUGE-EVAL>

CONFIG as a file list (-z FORMAT), an EVAL a line:
  peers/1.mine.txt models/1.A.txt models/1.B.txt

CONFIG as records, here JSON lines; --prediction and so on name other fields:
  {"id": 1, "system": "mine", "prediction": "A text.", "references": ["One.", "Another."]}

In place of CONFIG:
  line files, a text a line:
    --peer-lines mine.txt --model-lines human.txt --sentence-separator '<q>'
  folders, by patterns of names:
    --peers 'system/(\\d+)_decoded.txt' --models 'reference/#ID#_reference.txt'
  folders, by names as in DUC and TAC (D061.M.100.J.26, D061.M.100.J.A):
    --duc peers models

Examples:
  rouge-cli -n 2 -m config.xml mine
  rouge-cli -c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -a config.xml
  rouge-cli -n 2 -x -d -z SPL files.lst mine
  rouge-cli -n 2 --peer-lines A=a.txt --peer-lines B=b.txt --model-lines human.txt
  rouge-cli -n 2 -m predictions.jsonl --report table --require 'ROUGE-2:F>=0.18'
  rouge-cli convert config.xml --to jsonl -o records.jsonl

Other commands: convert, compare, correlate, jackknife, install-shim and selftest; each has --help.

Exit codes: 0 done, 1 a --require or the --baseline is not met, 2 wrong usage, 3 an input that
cannot be used or an output that cannot be written, 130 interrupted, 143 terminated."""
