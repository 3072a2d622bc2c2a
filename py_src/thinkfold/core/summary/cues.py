"""The words by which a thought says that it concludes, decides, goes on to something, or takes something back.

Data: a new language is one more row in each table. Phrases are lower case; ``'`` stands for every apostrophe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# At the start of a sentence or clause: what follows was concluded from what came before.
THEREFORE = {
    "en": "so|therefore|thus|hence|consequently|as a result|that means|ok so|in other words",
    "zh": "所以|因此|因而|于是|由此|可见|故而|也就是说|这样一来|所以说",
    "ja": "したがって|従って|だから|なので|つまり|ゆえに|よって|そのため|ということは",
    "ko": "따라서|그래서|그러므로|즉|그러니까|결국",
    "de": "also ist|also muss|also kann|also liegt|also sollte|also brauch|deshalb|daher|folglich|somit|demnach|"
    "das heißt|das bedeutet",
    "fr": "donc|par conséquent|ainsi|c'est pourquoi|cela signifie|il s'ensuit",
    "es": "por lo tanto|por tanto|así que|entonces|por eso|en consecuencia|esto significa",
    "pt": "portanto|logo|por isso|assim|então|consequentemente|isso significa",
}

# Anywhere: this was shown on the way.
SHOWN = {
    "en": "turns out|that explains|this explains|which explains|this means|which means|this confirms|that confirms|"
    "confirmed|this proves|overall|settles it|key point|that's why|this is why|which is why|it follows|"
    "contradiction|takeaway|found it|the reason is|the reason was|the problem is|the issue is|not the cause|"
    "not the problem",
    "zh": "这说明|说明了|这意味着|意味着|由此得出|得出|看来|原来是|原来有|原来，|原来,|这就解释|这解释了|这证实|"
    "证实了|关键在于|关键是|问题是|矛盾|对不上|不是原因|不是全部原因",
    "ja": "ことがわかった|ことが分かった|と判明|問題は|と考えられる|矛盾",
    "ko": "문제는|것으로 보인다|알 수 있다|밝혀졌다|모순",
    "de": "der grund ist|der grund war|das problem ist|es stellt sich heraus|das erklärt|widerspruch",
    "fr": "la raison est|le problème est|il s'avère|cela explique|contradiction",
    "es": "la razón es|el problema es|resulta que|eso explica|esto explica|contradicción",
    "pt": "a razão é|o problema é|acontece que|isso explica|contradição",
}

# Anywhere: this was found, and it is what was looked for.
FOUND = {
    "en": "root cause|the cause is|the cause was|the real reason|the real problem|the bug is|the real bug|culprit|"
    "the real issue|that's the bug|that is the bug|the answer is|conclusion|in summary|to summarize|to sum up|"
    "bottom line|the key insight|q.e.d|qed|clearly wins|the winner|verdict|the upshot",
    "zh": "根因|根本原因|原因是|原因有|原因在于|原因就是|真正的原因|因果链|真正的问题|问题在于|问题出在|问题就在|"
    "得证|证毕|结论是|结论：|结论:|结论就是|综上|总之|总的来说|总结：|总结:|思考小结|答案是",
    "ja": "原因は|結論|まとめると|要するに",
    "ko": "원인은|결론|요약하면|정리하면",
    "de": "die ursache|der fehler ist|der fehler liegt|fazit|zusammenfassend|ergebnis:",
    "fr": "la cause|le problème vient|le bug est|en conclusion|conclusion|en résumé",
    "es": "la causa|el error está|el error es|en conclusión|conclusión|en resumen",
    "pt": "a causa|o problema está|o erro está|o erro é|em conclusão|conclusão|em resumo",
}

# Anywhere: this was decided.
DECIDED = {
    "en": "i'll go with|i will go with|let's go with|we'll go with|going with|go with|i'll use|we'll use|i will use|"
    "let's use|i'll choose|i choose|i'll pick|let's pick|i'll keep|let's keep|decided|i decide|decision|the plan is|"
    "the plan:|final plan|my plan|final answer|the fix is|the fix:|the real fix|the right fix|the fix would be|"
    "the solution is|the solution:|i recommend|i'd recommend|recommendation:|my recommendation|final recommendation|"
    "settle on|i'm settling|the simplest fix|the minimal fix|final design|final structure",
    "zh": "决定用|决定采用|我决定|所以决定|最后决定|因此决定|于是决定|决定是|决定：|决定:|就用|那就用|那就选|那就先|"
    "那就把|我选|最终方案|最终答案|最终选|最终决定|最终用|方案是|方案定|修复方案是|修复方法是|修法是|改法是|"
    "解决办法是|解决方案是|我推荐|推荐用|建议：|建议:|我建议|建议用|建议先|建议把|建议是|打算用|计划是|定下来|敲定|"
    "确定用",
    "ja": "ことにする|ことにしよう|に決め|決定|採用|方針|を使うことに|すべき|べきだ|推奨|修正案|最終的に",
    "ko": "하기로|결정|채택|방침|사용하자|쓰자|추천|해결책|최종|해야 한다|계획은",
    "de": "ich nehme|ich verwende|ich entscheide|wir nehmen|entscheidung|der plan|die lösung|am besten|ich empfehle|"
    "empfehlung|wir sollten|ich sollte|endgültig",
    "fr": "je vais utiliser|je choisis|je retiens|on va utiliser|j'opte|décision|le plan|la solution|je recommande|"
    "recommandation|il vaut mieux|on devrait|je devrais|finalement",
    "es": "voy a usar|usaré|elijo|me quedo con|vamos con|decisión|decido|el plan|la solución|recomiendo|"
    "recomendación|lo mejor es|deberíamos|debería|finalmente",
    "pt": "vou usar|usarei|escolho|fico com|vamos com|decisão|decido|o plano|a solução|recomendo|recomendação|"
    "o melhor é|devemos|deveria|finalmente",
}

# Anywhere: this seems best.
PROPOSED = {
    "en": "we should|i should|i'd rather|i prefer|i'd prefer|i lean|i'd use|i'd say|i'd present|i'd go|i'd keep|"
    "better:|instead:|is the best|are the best|best of all|the best option|the best choice|best approach|"
    "is the right|it's safer|safest|isn't needed|not needed|is enough|is sufficient|is out|rule out|ruled out",
    "zh": "我应该|我们应该|不应该|应该用|应该换|应该把|应该先|最好的办法|最好是|最佳方案|不如|倾向于|换一个|换个|"
    "采用|选用|更好的|更合适|足够了|就够了|可以用|不采用|不需要|没有必要",
    "ja": "ほうがいい|方がいい|方がよい|が最適|で十分|不要",
    "ko": "게 낫|것이 좋|이 최선|충분하다|필요 없",
    "de": "besser|am einfachsten|reicht aus|genügt|nicht nötig",
    "fr": "le mieux|il suffit|préférable|pas nécessaire",
    "es": "mejor|basta con|es suficiente|no hace falta",
    "pt": "melhor|basta|é suficiente|não é preciso",
}

# At the start of a sentence or clause: this comes next. It counts where the segment ends.
NEXT = {
    "en": "next|now let me|let me|let's|now i|now we|i'll|i will|i need to|we need to|i have to|then i|todo|"
    "remaining|still to do|what remains|what's left|first i|first, i|left to do|now for|then the",
    "zh": "接下来|下一步|然后|先|现在|我来|让我|我需要|还需要|需要|还要|还得|剩下|待办|再看|再来|之后",
    "ja": "次に|次は|では|それでは|まず|残りは|あとは|これから|続いて",
    "ko": "다음으로|다음은|이제|먼저|우선|남은|그다음",
    "de": "als nächstes|nun|jetzt|dann|zuerst|ich muss|wir müssen|ich werde|es bleibt|noch offen|lass mich",
    "fr": "ensuite|maintenant|d'abord|il faut|il reste|je dois|je vais|prochaine étape|passons",
    "es": "ahora|luego|después|primero|hay que|falta|tengo que|voy a|el siguiente paso|veamos",
    "pt": "agora|depois|em seguida|primeiro|é preciso|falta|tenho que|preciso|vou|próximo passo|vejamos",
}

# At the start of a sentence: what was concluded just before is doubted.
DOUBT = {
    "en": "wait|hmm wait|but wait|but actually|but hmm|oh wait|hold on|hmm|actually|hang on|on second thought|"
    "let me reconsider|not so fast",
    "zh": "等等|但是等等|但等等|不过等等|不过等一下|等一下|等下|其实|慢着|且慢|不过再想想|再想想|仔细想想|咦",
    "ja": "待って|待てよ|いや|実は|ちょっと待",
    "ko": "잠깐|아니|사실|다시 생각",
    "de": "moment|warte|eigentlich|doch halt|hm",
    "fr": "attends|attendez|mais attends|en fait|hmm",
    "es": "espera|un momento|pero espera|en realidad",
    "pt": "espera|espere|mas espera|na verdade",
}

# At the start of a sentence, after a doubt or without one: what was concluded just before is wrong.
WRONG = {
    "en": "no,|no.|no —|no -|no wait|wait no|nope|scratch that|strike that|that's wrong|that is wrong|"
    "that's not right|that's not it|that isn't right|this is wrong|wrong|not quite|i was wrong|never mind|"
    "forget that|that doesn't work|this doesn't work|that won't work|this won't work|that can't be|"
    "that doesn't hold|that contradicts|that fails|i misread|i made a mistake|my mistake|that was a red herring",
    "zh": "不对|不,|不，|不行|错了|不是这样|这不对|这样不对|这样不行|这不行|这个不行|这行不通|行不通|我错了|"
    "我想错了|我看错了|看错了|算错了|不成立|说不通|推翻|前面错了|刚才错了|这里有误|有误|搞错了|并不是",
    "ja": "違う|いや違|違った|間違い|間違えた|そうではない|それは違|だめだ|うまくいかない|成り立たない",
    "ko": "틀렸|아니다|아니야|그게 아니|잘못|안 된다|성립하지 않",
    "de": "nein|falsch|das ist falsch|das stimmt nicht|das geht nicht|das funktioniert nicht|ich lag falsch",
    "fr": "non,|non.|faux|c'est faux|ça ne marche pas|cela ne marche pas|je me suis trompé|pas tout à fait",
    "es": "no,|no.|falso|eso no|está mal|no funciona|me equivoqué|incorrecto",
    "pt": "não,|não.|errado|isso não|está errado|não funciona|me enganei|enganei-me|incorreto",
}

# Anywhere: this sentence itself says that something before is wrong.
TAKEN_BACK = {
    "en": "i was wrong|i misread|my earlier|my first idea|my first guess|my first thought|my first reading|"
    "scratch that|that was wrong|was a red herring|isn't the cause|is not the cause|wasn't the cause|"
    "i take that back|rules that out|rules it out|falls apart|doesn't explain|can't explain|not the whole|"
    "isn't the whole",
    "zh": "我想错了|我看错了|前面的结论|刚才的结论|前面说的不|刚才说的不|之前的判断|推翻|不是原因|排除了|行不通|"
    "不能解释|解释不了|无法解释|还没有解释|全部原因",
    "ja": "間違っていた|勘違い|先ほどの結論",
    "ko": "잘못 생각|착각|틀렸다",
    "de": "ich lag falsch|war falsch|nehme das zurück",
    "fr": "je me suis trompé|était faux|j'avais tort",
    "es": "me equivoqué|estaba equivocado|era falso",
    "pt": "me enganei|eu estava errado|era falso",
}

# At the start of a sentence: what was doubted just before is right after all.
CONFIRMED = {
    "en": "that's right|that is right|right.|that's correct|correct|that holds|it holds|checks out|that works|"
    "it is fine|it's fine|that's fine|still holds",
    "zh": "对得上|没问题|没有问题|是对的|成立|确实|确实如此|是正确的|没错",
    "ja": "正しい|合っている|問題ない|確かに",
    "ko": "맞다|맞아|문제없|확실히",
    "de": "das stimmt|stimmt|das passt|passt",
    "fr": "c'est bon|c'est juste|c'est correct|exact",
    "es": "es correcto|correcto|está bien|cuadra",
    "pt": "está certo|está correto|correto|confere",
}

# Anywhere: only guessed, wished or supposed.
GUESS = {
    "en": "maybe|perhaps|might|could be|possibly|probably|i guess|i wonder|suppose|if we|if i|what if|not sure|"
    "would be nice|in theory|one option|another option|alternatively|hypothesis|could also",
    "zh": "可能|也许|或许|大概|如果|假设|假如|要不|不确定|会不会|是不是|说不定|猜测|估计|另一种",
    "ja": "かもしれない|おそらく|たぶん|もし|仮に|だろうか",
    "ko": "아마|어쩌면|만약|혹시|일지도",
    "de": "vielleicht|möglicherweise|wahrscheinlich|angenommen|könnte",
    "fr": "peut-être|probablement|supposons|si on|pourrait",
    "es": "quizás|quizá|tal vez|probablemente|supongamos|podría",
    "pt": "talvez|provavelmente|suponha|poderia|será que",
}

# At the start: what the thought is about.
ABOUT = {
    "en": "the user|user wants|the task|the question|the goal|let me|let's|now|next|first|we need|i need|consider|"
    "claim|given|the failing|the error|the bug report|step",
    "zh": "用户|任务|问题|题目|目标|我们|让我|先|接下来|现在|首先|下面|看一下|看看|已知|求证",
    "ja": "ユーザー|課題|問題|目的|まず|次に|では|なぜ",
    "ko": "사용자|과제|문제|목표|먼저|다음|이제|왜",
    "de": "der benutzer|der nutzer|die aufgabe|die frage|das ziel|zuerst|nun|jetzt|warum",
    "fr": "l'utilisateur|la tâche|la question|le but|d'abord|maintenant|pourquoi",
    "es": "el usuario|la tarea|la pregunta|el objetivo|primero|ahora|por qué",
    "pt": "o usuário|o utilizador|a tarefa|a pergunta|o objetivo|primeiro|agora|por que",
}

# At the start of a heading: what stands under it concludes.
CONCLUDING = {
    "en": "decision|result|plan|final|recommend|next steps|answer|fix|solution",
    "zh": "总结|小结|结论|决定|结果|方案|计划|建议|下一步|最终|修复",
    "ja": "結論|まとめ|決定|結果|方針|計画|次の",
    "ko": "결론|요약|결정|결과|계획|다음",
    "de": "ergebnis|entscheidung|plan|empfehlung|nächste schritte|lösung",
    "fr": "résultat|décision|plan|prochaines étapes|solution|recommandation",
    "es": "resultado|decisión|plan|próximos pasos|solución|recomendación",
    "pt": "resultado|decisão|plano|próximos passos|solução|recomendação",
}

# At the start, with a comma, a full stop or nothing after it: says nothing.
FILLER = {
    "en": "okay|ok|right|alright|hmm|hm|well|yes|yeah|ah|aha|oh|great|good|fine|now|and|let me think about this|"
    "let me think|let me see",
    "zh": "好的|好吧|好|嗯|哦|啊|行|对|对了|是的|那么|那|让我想想|我想想|让我看看",
    "ja": "うん|ええと|えっと|さて|なるほど|よし|はい",
    "ko": "음|네|좋아|자|그래",
    "de": "gut|okay|ja|hm|na gut",
    "fr": "bon|bien|d'accord|oui|euh|alors",
    "es": "bueno|vale|bien|sí|a ver",
    "pt": "bom|certo|sim|ok|bem",
}

_CLAUSE = r"(?:^|[,;:，；：、—–…。]\s*)"

_WIDE_FROM = "\u2e80"


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for *phrases*, the longest first, Latin ones as whole words. It parts them by their first characters,
    so that few are tried at a place."""
    by_first: dict[str, list[str]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        whole_word = r"(?!\w|-\w)" if phrase[-1].isalnum() and phrase[-1] < _WIDE_FROM else ""
        by_first.setdefault(phrase[0], []).append(re.escape(phrase[1:]) + whole_word)
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rests)})" for first, rests in by_first.items())


class Cues:
    """The phrases of some tables. Latin ones are whole words; of the others, which need no blanks, every place counts.

    They are two patterns, because each then has a quick first look: the beginning of a word, the first character.
    """

    def __init__(self, *tables: dict[str, str], before: str = "", after: str = "") -> None:
        phrases = {phrase for table in tables for row in table.values() for phrase in row.split("|")}
        latin = {phrase for phrase in phrases if phrase[0] < _WIDE_FROM}
        self.latin = re.compile(rf"{before}\b(?:{_any_of(latin)}){after}")
        self.wide = re.compile(rf"{before}(?:{_any_of(phrases - latin)}){after}")

    def find(self, words: str) -> int:
        """Where the first of them stands in *words* (lower case), -1 if none does."""
        latin = self.latin.search(words)
        wide = None if words.isascii() else self.wide.search(words)
        return min((match.start() for match in (latin, wide) if match), default=-1) if latin or wide else -1

    def lead(self, words: str) -> int:
        """How many characters at the start of *words* are one of them."""
        latin = self.latin.match(words)
        wide = None if words.isascii() else self.wide.match(words)
        return max(latin.end() if latin else 0, wide.end() if wide else 0)


therefore = Cues(THEREFORE, before=_CLAUSE, after=r"(?! (?:that|far|much|many|long|as|what|why|how|if|let)\b)")
shown = Cues(SHOWN)
found = Cues(FOUND)
decided = Cues(DECIDED)
proposed = Cues(PROPOSED)
next_step = Cues(NEXT)
doubt = Cues(DOUBT)
wrong = Cues(WRONG)
confirmed = Cues(CONFIRMED)
taken_back = Cues(TAKEN_BACK)
guess = Cues(GUESS)
anywhere = Cues(SHOWN, FOUND, DECIDED, PROPOSED, TAKEN_BACK, GUESS)
"""A first look: most sentences have none of these."""
about = Cues(ABOUT)
concluding = Cues(CONCLUDING)
filler = Cues(FILLER)
pause = re.compile(r"\s*(?:[,.!:;-]+(?=\s|$|[\u2e80-\uffff])|[，。！：；、…—–]+)+\s*|\s*$")
"""What parts a lead from the sentence. Not a full stop or hyphen within a word."""
